import { useCallback, useEffect, useRef, useState } from "react";
import { href } from "react-router";
import { Star } from "./cards.tsx";
import { useKeys } from "./use-keys.ts";

const keys = [
  ["J", "التالية"],
  ["K", "السابقة"],
  ["Enter", "فتح"],
  ["R", "رد"],
  ["D", "تم الرد"],
  ["E", "أرشفة"],
  ["X", "تحديد"],
  ["Z", "تراجع"],
  ["/", "بحث"],
  ["Esc", "إغلاق"],
  ["?", "هذه القائمة"],
] as const;

function KeyList({ most = keys.length }: { most?: number }) {
  return (
    <dl className="keys">
      {keys.slice(0, most).map(([key, text]) => (
        <div key={key}>
          <dt dir="ltr">{key}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Listens for the board's keys, and shows them in a dialog. */
export function Keys() {
  const [isShown, setIsShown] = useState(false);
  const help = useRef<HTMLDialogElement>(null);
  useKeys(useCallback(() => setIsShown(true), []));
  useEffect(() => {
    if (isShown) {
      help.current?.showModal();
    }
  }, [isShown]);
  return (
    isShown && (
      <dialog
        ref={help}
        aria-labelledby="keys-title"
        className="keys-help"
        onClose={() => setIsShown(false)}
      >
        <h2 id="keys-title">مفاتيح اللوحة</h2>
        <KeyList />
        <a href={`${href("/account")}#keys`}>إيقاف المفاتيح</a>
        <form method="dialog">
          <button type="submit" className="plain-button">
            إغلاق
          </button>
        </form>
      </dialog>
    )
  );
}

/** Where the open message is shown, while none is. Only in two panes. */
export function EmptyPane({ hasKeys }: { hasKeys: boolean }) {
  return (
    <div className="empty-pane">
      <Star />
      <p>اختر رسالة لقراءتها هنا</p>
      {hasKeys && <KeyList most={6} />}
    </div>
  );
}
