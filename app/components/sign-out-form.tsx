import type { ReactNode } from "react";
import { href } from "react-router";
import { ButtonForm } from "./button-form.tsx";
import { buttonClass } from "./button.ts";

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
