import { href } from "react-router";
import { ButtonForm } from "#app/components/post-form.tsx";
import type { BoardFault } from "./board-faults.server.ts";

export function Fault({ text, link, to, canRetry }: BoardFault) {
  return (
    <div className="panel failed">
      <p>
        {text} <a href={to}>{link}</a>
      </p>
      {canRetry && (
        <ButtonForm action={href("/account")}>
          <button type="submit" name="notification-retry" value="board" className="plain-button">
            أعد المحاولة
          </button>
        </ButtonForm>
      )}
    </div>
  );
}
