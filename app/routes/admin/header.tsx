import type { ReactNode } from "react";
import { href, Link } from "react-router";
import { Icon } from "#app/components/icons.tsx";
import { SignOutForm } from "#app/components/sign-out-form.tsx";
import { arabicNumber } from "#app/lib/arabic-number.ts";
import { type Box, boxes, boxNames } from "#app/models/boxes.ts";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import { boardLink } from "./board-url.ts";
import { type IconName, icons } from "./icons.ts";
import { boxIcons } from "./message-texts.ts";

interface Status {
  isLive: boolean;
  isCut: boolean;
  isStale: boolean;
}

interface Props extends Status {
  /** Undefined on a board that its reader may not see. */
  box: Scope | undefined;
  /** Undefined while the list cannot be read. */
  counts: Record<Box, number> | undefined;
}

// On a phone it is hidden above an open message, except for a fault.
const headerClass =
  "flex flex-wrap items-center gap-x-2 px-3 pt-1 max-lg:opened:not-has-data-cut:sr-only lg:sticky lg:top-0 lg:z-3 lg:col-span-full lg:h-(--head) lg:not-has-data-cut:flex-nowrap lg:border-b lg:border-line lg:bg-ground lg:px-4 lg:pt-0 xl:col-span-1 xl:h-svh xl:flex-col xl:items-stretch xl:overflow-y-auto xl:border-e xl:border-b-0 xl:px-2 xl:pt-4 xl:pb-3 print:hidden";

/** A link or button of the board: icon, text, number. */
const navClass =
  "flex min-h-11 min-w-11 cursor-pointer items-center gap-2 rounded-xl text-md/normal whitespace-nowrap text-muted hover:text-brand focus-visible:-outline-offset-3 aria-[current]:bg-tint aria-[current]:font-bold aria-[current]:text-ink forced-colors:aria-[current]:outline-2";

const accountClass = `${navClass} justify-center sm:max-lg:px-3 xl:justify-start xl:px-3`;

/** Title, live state, boxes, account: the top of the page, the rail of a wide one. */
export function Header({ box, counts, ...status }: Props) {
  return (
    <header className={headerClass}>
      <h1 className="text-[clamp(1.125rem,5.5vw,1.25rem)]/normal font-bold whitespace-nowrap max-lg:opened:sr-only xl:px-3">
        لوحة الرسائل
      </h1>
      <LiveStatus {...status} />
      {box && <Boxes current={box} counts={counts} />}
      <nav
        aria-label="الحساب"
        className="-me-2 ms-auto flex max-lg:opened:hidden xl:ms-0 xl:me-0 xl:mt-auto xl:flex-col"
      >
        {box && (
          <button
            type="button"
            popoverTarget="keys"
            className={`${accountClass} hidden! [@media(hover:hover)_and_(scripting:enabled)]:xl:flex!`}
          >
            <Labelled icon="keys">مفاتيح اللوحة</Labelled>
          </button>
        )}
        <a href={href("/")} className={accountClass}>
          <Labelled icon="home">الرئيسية</Labelled>
        </a>
        <a href={href("/account")} className={accountClass}>
          <Labelled icon="account">حسابي</Labelled>
        </a>
        <SignOutForm className={`${accountClass} w-full`}>
          <Labelled icon="out">تسجيل الخروج</Labelled>
        </SignOutForm>
      </nav>
    </header>
  );
}

function Labelled({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <>
      <Icon path={icons[icon]} />
      <span className="max-sm:sr-only lg:max-xl:sr-only">{children}</span>
    </>
  );
}

function Boxes({ current, counts }: { current: Scope; counts: Props["counts"] }) {
  return (
    <nav
      aria-label="الصناديق"
      className="order-1 -mx-1 flex basis-full justify-between max-lg:flex-wrap max-lg:opened:hidden lg:order-none lg:mx-0 lg:flex-1 lg:basis-auto lg:justify-center xl:mt-4 xl:flex-none xl:flex-col"
    >
      {boxes.map((box) => (
        <Link
          key={box}
          to={boardLink("", { box: box === "all" ? undefined : box })}
          aria-current={box === current ? "page" : undefined}
          className={`${navClass} max-sm:min-h-12 max-sm:flex-col max-sm:justify-center max-sm:gap-0 max-sm:px-1 max-sm:text-sm/5 max-[22rem]:px-0.5! max-[22rem]:text-xs/5! sm:px-3 lg:max-xl:px-2`}
        >
          <Icon path={icons[boxIcons[box]]} className="hidden size-5 xl:block" />
          {boxNames[box]}
          {counts && counts[box] > 0 && (
            <span className="text-sm/[1.125rem] font-[400] text-muted xl:ms-auto">
              {arabicNumber(counts[box])}
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}

const staleText = "تعذّر تحديث اللوحة، فما تراه قد لا يكون آخر ما وصل. تُعاد المحاولة تلقائيًا.";
const cutText = "التحديث الفوري متوقف الآن، وتُقرأ الرسائل كل نصف دقيقة.";

/** One live region for all states, so that each is announced once. */
function LiveStatus({ isLive, isCut, isStale }: Status) {
  const fault = isStale ? staleText : isCut && cutText;
  const look = fault
    ? "order-2 my-1 basis-full rounded-xl bg-tint px-3 py-2 text-ink before:border-dot lg:max-xl:my-0 lg:max-xl:py-0.5 xl:order-none xl:mx-1 xl:basis-auto"
    : "text-muted before:border-brand empty:before:hidden lg:max-xl:min-w-16 xl:px-3";
  return (
    <div
      role="status"
      data-cut={fault ? "" : undefined}
      className={`flex items-center gap-1.5 text-sm before:flex-none before:rounded-full before:border-4 before:content-[''] ${look}`}
    >
      {fault || (isLive && "مباشر")}
    </div>
  );
}
