import type { ReactNode } from "react";
import { href, Link, useLocation } from "react-router";
import { SignOutForm } from "#app/components/sign-out-form.tsx";
import type { ToastMessage } from "#app/components/toast-store.ts";
import { PageToast } from "#app/components/toasts.tsx";
import { fillClass, linkClass, outlineClass, noticeClass } from "./class-names.ts";

interface EmptyProps {
  text: string;
  children?: ReactNode;
}

/** Shows the outline of a star, a sentence, and at most one more sentence with a button. */
export const EmptyPlace = ({ text, children }: EmptyProps) => (
  <div className="outline-star grid content-center justify-items-center gap-3 px-6 py-12 text-center text-balance lg:bare:min-h-[60svh]">
    <p>{text}</p>
    {children}
  </div>
);

export const ClosedBoard = () => (
  <EmptyPlace text="هذا الصندوق لصاحب الموقع وحده">
    <p className="max-w-lg text-muted">
      حسابك يعمل، لكن رسائل الزوار لا تظهر إلا لصاحب الموقع. إن كنت صاحبه فسجّل الخروج ثم ادخل بحسابك
      الآخر.
    </p>
    <SignOutForm className={outlineClass} />
  </EmptyPlace>
);

/** An inbox into which no message has come yet. */
export const FirstPlace = () => (
  <EmptyPlace text="لا توجد رسائل بعد">
    <p className="max-w-lg text-muted">حين يراسلك زائر تظهر رسالته هنا فورًا.</p>
    <a href={href("/")} className={outlineClass}>
      صفحتك كما يراها الزوار
    </a>
  </EmptyPlace>
);

export const UnownedNote = () => (
  <form action={href("/admin/claim")} className={noticeClass}>
    <p>هذا الصندوق بلا صاحب: كل حساب في الموقع يقرأ رسائله. اجعله لك لترد وتؤرشف.</p>
    <button type="submit" className={`${fillClass} mt-2`}>
      اجعل الصندوق لي وحدي
    </button>
  </form>
);

export const LoadingCard = () => (
  <div aria-busy="true" className="grid gap-3 p-4 text-muted">
    <p>جاري التحميل...</p>
    <span aria-hidden="true" className={barClass} />
    <span aria-hidden="true" className={barClass} />
    <span aria-hidden="true" className={barClass} />
  </div>
);

const barClass = "h-22 rounded-xl bg-tint";

// All retries share one object, so that only one toast is shown for them.
const loadFailure: ToastMessage = {
  type: "error",
  message: "خطأ",
  description: "فشل تحميل الرسائل",
};

/** Shown while loading fails. */
export const LoadingPlace = () => (
  <>
    <PageToast toast={loadFailure} />
    <LoadingCard />
    <Link to={useLocation()} className={`${linkClass} mx-4 inline-flex min-h-11 items-center`}>
      إعادة المحاولة
    </Link>
  </>
);
