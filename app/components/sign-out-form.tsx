import type { ReactNode } from "react";
import { href } from "react-router";
import { buttonClass } from "./button.ts";
import { ButtonForm } from "./post-form.tsx";

interface Props {
  className?: string;
  children?: ReactNode;
}

export function SignOutForm({
  className = buttonClass("quiet"),
  children = "تسجيل الخروج",
}: Props) {
  return (
    <ButtonForm action={href("/sign-out")}>
      <button type="submit" className={className}>
        {children}
      </button>
    </ButtonForm>
  );
}
