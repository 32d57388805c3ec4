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
      {/* The button needs no other file when it is pressed: the site may be away, or updated. */}
      <PrefetchPageLinks page={href("/sign-out")} />
      <ButtonForm action={href("/sign-out")}>
        <button type="submit" className={className}>
          {children}
        </button>
      </ButtonForm>
    </>
  );
}
