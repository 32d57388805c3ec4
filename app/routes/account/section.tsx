import type { ReactNode } from "react";
import { SectionTitle } from "#app/components/section-title.tsx";

interface Props {
  id: string;
  title: string;
  /** A sentence or two under the title. */
  text?: ReactNode;
  /** At the row's end. */
  action?: ReactNode;
  children?: ReactNode;
}

/** A row of the account's card. */
export function Section({ id, title, text, action, children }: Props) {
  return (
    <section aria-labelledby={id} className="grid gap-3 px-5 py-6 sm:px-8">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1">
        <SectionTitle id={id}>{title}</SectionTitle>
        {text && <p className="row-start-2 text-muted wrap-anywhere max-sm:col-span-2">{text}</p>}
        {action && <div className="col-start-2 row-start-1 sm:row-span-2">{action}</div>}
      </div>
      {children}
    </section>
  );
}
