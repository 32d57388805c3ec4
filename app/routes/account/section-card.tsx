import type { ReactNode } from "react";
import { SectionTitle } from "#app/components/section-title.tsx";

interface Props {
  id: string;
  title: string;
  wide?: boolean;
  children: ReactNode;
}

export function SectionCard({ id, title, wide = false, children }: Props) {
  return (
    <section
      aria-labelledby={id}
      className={`flex flex-col gap-4 rounded-3xl border border-line bg-surface p-5 raised sm:p-8 ${wide ? "lg:col-span-2" : ""}`}
    >
      <SectionTitle id={id}>{title}</SectionTitle>
      {children}
    </section>
  );
}
