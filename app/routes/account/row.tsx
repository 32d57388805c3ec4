import type { ReactNode } from "react";

interface Props {
  title: ReactNode;
  /** Below the title: muted, or its own elements. */
  children?: ReactNode;
  /** At the row's end. */
  action?: ReactNode;
}

/** A row of a section's list: what it is, and the one action on it. */
export function Row({ title, children, action }: Props) {
  return (
    <li className="flex items-center justify-between gap-4 py-3">
      <div className="min-w-0">
        <p className="font-bold wrap-anywhere">
          <bdi>{title}</bdi>
        </p>
        <div className="text-sm text-muted">{children}</div>
      </div>
      {action}
    </li>
  );
}

/** The look of an action at a row's end: its text ends where the row ends. */
export const rowAction = "-me-4 flex-none";
