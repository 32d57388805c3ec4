import { href } from "react-router";
import { ButtonLink } from "#app/components/button-link.tsx";
import { SignOutForm } from "#app/components/sign-out-form.tsx";
import { useIsAway } from "#app/hooks/use-safe-revalidate.ts";

interface Status {
  isLive: boolean;
  isCut: boolean;
  isStale: boolean;
}

export function BoardHeader(status: Status) {
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <h1 className="text-xl font-bold sm:text-2xl">لوحة الرسائل</h1>
      <BoardStatus {...status} />
      <nav
        aria-label="الحساب"
        className="small-buttons ms-auto flex flex-wrap gap-1.5 max-sm:w-full max-sm:*:grow"
      >
        <ButtonLink href={href("/")} look="quiet">
          الرئيسية
        </ButtonLink>
        <ButtonLink href={href("/account")} look="quiet">
          حسابي
        </ButtonLink>
        <SignOutForm />
      </nav>
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
    <p
      role="status"
      className={
        fault
          ? "order-last basis-full rounded-xl border border-field bg-tint px-4 py-3"
          : "flex items-center gap-2 text-sm text-muted"
      }
    >
      {fault || (isLive && <LiveBadge />)}
    </p>
  );
}

function LiveBadge() {
  return (
    <>
      <span aria-hidden="true" className="dot self-center border-saffron" />
      مباشر
    </>
  );
}
