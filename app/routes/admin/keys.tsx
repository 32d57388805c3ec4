import { type ToggleEvent, useRef } from "react";
import { outlineClass } from "./class-names.ts";
import { type KeyProps, useKeys } from "./use-keys.ts";

const keys = [
  ["J", "التالية"],
  ["K", "السابقة"],
  ["Enter", "فتح"],
  ["R", "رد"],
  ["D", "تم الرد"],
  ["E", "أرشفة"],
  ["N", "ملاحظة"],
  ["X", "تحديد"],
  ["Z", "تراجع"],
  ["G", "إلى الخط"],
  ["/", "بحث"],
  ["Esc", "إغلاق"],
  ["?", "هذه القائمة"],
] as const;

/** Listens for the board's keys. Its list of them is shown by `?` and by the header's button. */
export function Keys(props: KeyProps) {
  const help = useRef<HTMLDivElement>(null);
  useKeys(props, help);
  const close = useRef<HTMLButtonElement>(null);
  const takeFocus = ({ newState }: ToggleEvent) => newState === "open" && close.current?.focus();
  return (
    <div
      ref={help}
      id="keys"
      popover="auto"
      role="dialog"
      aria-labelledby="keys-title"
      onToggle={takeFocus}
      className="m-auto rounded-3xl border border-line bg-surface px-6 py-5 text-ink shadow-[0_2rem_5rem_-2rem_var(--shade)] backdrop:bg-cover-end/45"
    >
      <h2 id="keys-title" className="mb-2 font-bold">
        مفاتيح اللوحة
      </h2>
      <dl className="grid grid-cols-[4rem_1fr] items-center gap-x-4 gap-y-1.5 text-md">
        {keys.map(([key, text]) => (
          <div key={key} className="contents">
            <dt
              dir="ltr"
              className="rounded-xl border border-line bg-sunk px-2 text-center text-sm"
            >
              {key}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <button
        ref={close}
        type="button"
        popoverTarget="keys"
        popoverTargetAction="hide"
        className={`${outlineClass} mt-4 w-full`}
      >
        إغلاق
      </button>
    </div>
  );
}
