import type { ReactNode } from "react";
import { href } from "react-router";
import { pause, refreshAfter } from "#app/hooks/use-safe-revalidate.ts";
import { buttonClass } from "./button.ts";
import { ButtonForm } from "./post-form.tsx";

// Longer than the page takes that a sign-out leads to.
const leavesWithin = 20_000;

interface Props {
  className?: string;
  children?: ReactNode;
}

export function SignOutForm({
  className = buttonClass("quiet"),
  children = "تسجيل الخروج",
}: Props) {
  return (
    <ButtonForm
      action={href("/sign-out")}
      // The open board hears that its session ended, and must not leave for /auth meanwhile.
      onSubmit={() => refreshAfter(pause(leavesWithin))}
    >
      <button type="submit" className={className}>
        {children}
      </button>
    </ButtonForm>
  );
}
