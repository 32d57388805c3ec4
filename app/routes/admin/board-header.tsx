import { href } from "react-router";
import { ButtonLink } from "#app/components/button-link.tsx";
import { SignOutForm } from "#app/components/sign-out-form.tsx";
import { useIsAway } from "#app/hooks/reachable.ts";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import { BoxNav, type Counts } from "./box-nav.tsx";

interface Status {
  isLive: boolean;
  isCut: boolean;
  isStale: boolean;
}

interface Props extends Status {
  /** Undefined on a board that its reader may not see. */
  box: Scope | undefined;
  counts: Counts | undefined;
  /** Whether the account page has something to set up. */
  hasTip: boolean;
}

export function BoardHeader({ box, counts, hasTip, ...status }: Props) {
  return (
    <header className="top">
      <h1>لوحة الرسائل</h1>
      <BoardStatus {...status} />
      <nav aria-label="الحساب" className="account-links">
        <ButtonLink href={href("/")} className="icon i-home">
          <span>الرئيسية</span>
        </ButtonLink>
        <ButtonLink
          href={href("/account")}
          className={hasTip ? "icon i-account tip" : "icon i-account"}
        >
          <span>حسابي</span>
        </ButtonLink>
        <SignOutForm className="icon i-out" />
      </nav>
      {box && <BoxNav current={box} counts={counts} />}
    </header>
  );
}

const staleText = "تعذّر تحديث اللوحة، فما تراه قد لا يكون آخر ما وصل. تُعاد المحاولة تلقائيًا.";
const cutText = "التحديث الفوري متوقف الآن، وتُقرأ الرسائل كل نصف دقيقة.";

/** One live region for all states, so that each is announced once. */
function BoardStatus({ isLive, isCut, isStale }: Status) {
  const isAway = useIsAway();
  const fault = isStale || (isAway && (isCut || isLive)) ? staleText : isCut && cutText;
  return (
    <p role="status" className={fault ? "live-fault" : "live"}>
      {fault || (isLive && "مباشر")}
    </p>
  );
}
