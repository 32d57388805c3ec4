import type { ReactNode } from "react";

export function CardPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="small-card mx-auto grid min-h-svh max-w-md content-center gap-6 p-4 py-10">
      <section className="overflow-hidden rounded-3xl border border-line bg-surface raised">
        <div className="cover h-20 print:hidden" />
        <div className="grid gap-6 p-5 sm:p-8">
          <h1 className="text-3xl font-bold">{title}</h1>
          {children}
        </div>
      </section>
    </main>
  );
}
