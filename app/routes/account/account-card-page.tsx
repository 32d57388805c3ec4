import type { ReactNode } from "react";
import { href } from "react-router";
import { buttonClass } from "#app/components/button.ts";
import { CardPage } from "#app/components/card-page.tsx";

/** One thing to do with the account, and the way back. */
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
