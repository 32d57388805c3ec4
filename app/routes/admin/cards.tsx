import { href } from "react-router";
import { buttonClass } from "#app/components/button.ts";
import { Icon } from "#app/components/icons.tsx";

const inbox = "M4 13l3-8h10l3 8v6H4zM4 13h5l1.5 2.5h3L15 13h5";
const lock = "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3";
const card = "rounded-2xl border border-line bg-surface p-5 sm:p-6";

export function EmptyBox({ text }: { text: string }) {
  return (
    <div className={`${card} grid justify-items-center gap-3 py-16 text-center text-muted`}>
      <Icon path={inbox} className="size-14 text-brand" />
      <p className="text-lg font-bold">{text}</p>
    </div>
  );
}

export function ClosedBoard() {
  return (
    <div className={`${card} grid justify-items-center gap-3 py-16 text-center`}>
      <Icon path={lock} className="size-14 text-brand" />
      <p className="text-lg font-bold">هذا الصندوق لصاحب الموقع وحده</p>
      <p className="max-w-prose text-muted">
        حسابك يعمل، لكن رسائل الزوار لا تظهر إلا لصاحب الموقع. إن كنت صاحبه فسجّل الخروج ثم ادخل بحسابك
        الآخر.
      </p>
    </div>
  );
}

export function UnownedNote() {
  return (
    <form
      action={href("/admin/claim")}
      className="flex flex-wrap items-center justify-between gap-3 rounded-2xl bg-tint p-4 sm:px-6"
    >
      <div>
        <p>كل حساب مسجّل في الموقع يستطيع قراءة هذه الرسائل.</p>
        <p>اجعل الصندوق لك لتعمل فيه.</p>
      </div>
      <button type="submit" className={buttonClass("primary")}>
        اجعل الصندوق لي وحدي
      </button>
    </form>
  );
}

export function LoadingCard() {
  return (
    <div aria-busy="true" className={card}>
      <p className="text-muted">جاري التحميل...</p>
      <div
        aria-hidden="true"
        className="mt-4 grid animate-pulse gap-3 *:h-4 *:rounded-2xl *:bg-tint"
      >
        <span className="w-1/3" />
        <span />
        <span className="w-2/3" />
      </div>
    </div>
  );
}
