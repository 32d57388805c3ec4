import { href } from "react-router";
import { buttonClass } from "./button.ts";
import { ButtonForm } from "./post-form.tsx";
import { clearToasts } from "./toast-store.ts";

export function SignOutForm() {
  return (
    <ButtonForm action={href("/sign-out")} onSubmit={clearToasts}>
      <button type="submit" className={buttonClass("quiet")}>
        تسجيل الخروج
      </button>
    </ButtonForm>
  );
}
