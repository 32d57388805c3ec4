import type { ReactNode } from "react";
import { Form, href } from "react-router";
import { pause, refreshAfter } from "#app/hooks/use-safe-revalidate.ts";
import { buttonClass } from "./button.ts";

// Longer than the site takes to end a session and to render the page.
const leavesWithin = 20_000;

interface Props {
  className?: string;
  children?: ReactNode;
}

/**
 * Signs out by loading a document, whose answer also clears what the tabs keep, such as unsaved notes.
 * While the site is away the press is answered in place (offline-alert.tsx).
 */
export function SignOutForm({
  className = buttonClass("quiet"),
  children = "تسجيل الخروج",
}: Props) {
  return (
    <Form
      method="post"
      action={href("/sign-out")}
      reloadDocument
      // The open board hears that its session ended, and must not leave for /auth meanwhile.
      onSubmit={() => refreshAfter(pause(leavesWithin))}
    >
      <button type="submit" className={className}>
        {children}
      </button>
    </Form>
  );
}
