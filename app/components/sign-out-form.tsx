import { href } from "react-router";
import { tabStorage } from "#app/hooks/tab-storage.ts";
import { buttonClass } from "./button.ts";
import { ButtonForm } from "./post-form.tsx";

/** Signs out, and forgets what the tab kept, such as unsaved notes. */
export function SignOutForm({ className = buttonClass("quiet") }: { className?: string }) {
  return (
    <ButtonForm action={href("/sign-out")} onSubmit={tabStorage.clear}>
      <button type="submit" className={className}>
        <span>تسجيل الخروج</span>
      </button>
    </ButtonForm>
  );
}
