import type { ReactNode } from "react";

/** A reason for the page's own design, shown while the switch of the reasons is on (works.tsx). */
export function Note({ children, className = "" }: { children: ReactNode; className?: string }) {
  return (
    <p className={`reason hidden items-center text-start text-md why:grid ${className}`}>
      {children}
    </p>
  );
}
