import type { ReactNode } from "react";
import { href, PrefetchPageLinks } from "react-router";
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
    <>
      {/* The button loads no file when it is pressed: the site may be down, or updated. */}
      <PrefetchPageLinks page={href("/sign-out")} />
      <ButtonForm action={href("/sign-out")}>
        <button type="submit" className={className}>
          {children}
        </button>
      </ButtonForm>
    </>
  );
}
