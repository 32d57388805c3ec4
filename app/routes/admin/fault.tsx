import { href } from "react-router";
import { ButtonForm } from "#app/components/post-form.tsx";
import type { BoardFault } from "./board-faults.server.ts";
import { noticeClass, outlineClass } from "./looks.ts";

export function Fault({ text, link, to, canRetry }: BoardFault) {
  return (
    <div className={`${noticeClass} bg-danger-tint! text-danger`}>
      <p>
        {text}{" "}
        <a href={to} className="underline underline-offset-4">
          {link}
        </a>
      </p>
      {canRetry && (
        <ButtonForm action={href("/account")}>
          <button type="submit" name="notification-retry" value="board" className={outlineClass}>
            أعد المحاولة
          </button>
        </ButtonForm>
      )}
    </div>
  );
}
