import type { ReactNode } from "react";
import { href } from "react-router";
import { buttonClass } from "#app/components/button.ts";
import { CardPage } from "#app/components/card-page.tsx";

/** A page for one change of the account, with a link back to it. */
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
