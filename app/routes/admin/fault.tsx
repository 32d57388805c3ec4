import { href } from "react-router";
import { buttonClass } from "#app/components/button.ts";
import { ButtonForm } from "#app/components/post-form.tsx";
import type { BoardFault } from "./board-faults.server.ts";

export function Fault({ text, link, to, canRetry }: BoardFault) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-xl border border-field bg-tint px-4 py-3 print:hidden">
      <p>
        {text}{" "}
        <a href={to} className="text-brand underline">
          {link}
        </a>
      </p>
      {canRetry && (
        <ButtonForm action={href("/account")}>
          <button
            type="submit"
            name="notification-retry"
            value="board"
            className={buttonClass("quiet")}
          >
            أعد المحاولة
          </button>
        </ButtonForm>
      )}
    </div>
  );
}
