import type { ReactNode, SubmitEvent } from "react";
import { href, PrefetchPageLinks } from "react-router";
import { isHeld } from "#app/hooks/held-page.ts";
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
      <ButtonForm action={href("/sign-out")} onSubmit={askFirst}>
        <button type="submit" className={className}>
          {children}
        </button>
      </ButtonForm>
    </>
  );
}

/** While a text is not saved, the browser asks before the session ends: it posts the form by itself. */
function askFirst(event: SubmitEvent<HTMLFormElement>) {
  if (isHeld()) {
    event.preventDefault();
    event.currentTarget.submit();
  }
}
