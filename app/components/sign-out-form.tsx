import { href } from "react-router";
import { buttonClass } from "./button.ts";
import { ButtonForm } from "./post-form.tsx";

export function SignOutForm() {
  return (
    <ButtonForm action={href("/sign-out")}>
      <button type="submit" className={buttonClass("quiet")}>
        تسجيل الخروج
      </button>
    </ButtonForm>
  );
}
