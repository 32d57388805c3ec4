import type { ReactNode } from "react";
import { useBusy } from "#app/hooks/use-busy.ts";
import { buttonClass } from "./button.ts";

interface Props {
  href: string;
  className?: string;
  children: ReactNode;
}

/** A link that looks like a button, and is disabled while a form is being sent. */
export function ButtonLink({ href, className = buttonClass("quiet"), children }: Props) {
  const isBusy = useBusy();
  return (
    <a
      href={href}
      aria-disabled={isBusy}
      onClick={(event) => isBusy && event.preventDefault()}
      className={className}
    >
      {children}
    </a>
  );
}
