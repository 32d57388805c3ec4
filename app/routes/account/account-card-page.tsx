import type { ReactNode } from "react";
import { href } from "react-router";
import { buttonClass } from "#app/components/button.ts";
import { CardPage } from "#app/components/card-page.tsx";

export function AccountCardPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <CardPage title={title}>
      {children}
      <a href={href("/account")} className={buttonClass("text")}>
        العودة إلى حسابي
      </a>
    </CardPage>
  );
}
