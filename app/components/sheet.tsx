import type { ReactNode } from "react";
import { frameClass, ofError } from "./field.tsx";
import { Icon } from "./icons.tsx";

// The sheet shows a visitor's message in each of its states: in the form, refused, sent and as a receipt.

/** What has the rule at its start is somebody's words, as a note on the board. */
export const sheetClass =
  "rounded-e-2xl border border-s-3 border-line border-s-saffron bg-surface px-4 py-5 wrap-anywhere sm:px-8 sm:py-7";
export const fieldsClass = "mt-4 mb-5 grid gap-x-6 gap-y-4 first:mt-0 sm:grid-cols-2";
const labelClass = "mb-1.5 block font-bold";
const longClass = "sm:col-span-full";

/** A page that is nothing but a sheet. */
export function SheetPage(props: { title: string; children: ReactNode; below?: ReactNode }) {
  const { title, children, below } = props;
  return (
    <main className="small-card mx-auto grid min-h-svh max-w-2xl content-center gap-6 p-4 py-10">
      <section className={`${sheetClass} grid gap-4`}>
        <h1 className="text-3xl font-bold">{title}</h1>
        {children}
      </section>
      {below}
    </main>
  );
}

/** A field of a message, as models/message-fields.server.ts has it. */
interface Line {
  name: string;
  label: string;
  isLong?: true;
  isLatin?: true;
}

interface BlankProps {
  field: Line & { isOptional?: true; input?: { type?: string; autoComplete?: string } };
  text: string | undefined;
  error?: string | undefined;
  /** To copy the text from. */
  readOnly?: boolean;
}

/** A field of the sheet. The first one with an error takes the focus when the page loads. */
export function Blank({ field, text, error, readOnly = false }: BlankProps) {
  const { name, label, isLong, isLatin, isOptional, input } = field;
  const slot = {
    ...input,
    id: name,
    name,
    dir: isLatin ? "ltr" : "auto",
    required: !isOptional && !readOnly,
    readOnly,
    defaultValue: text,
    ...ofError(name, error),
  };
  return (
    <div className={isLong && longClass}>
      <label htmlFor={name} className={labelClass}>
        {label}
        {isOptional && !readOnly && <span className="font-normal text-muted"> (اختياري)</span>}
      </label>
      {isLong ? (
        <textarea {...slot} rows={3} className={`${frameClass} ruled block`} />
      ) : (
        <input {...slot} className={`${frameClass} block min-h-12 py-2.5`} />
      )}
      {error && (
        <p id={`${name}-error`} className="wrong">
          {error}
        </p>
      )}
    </div>
  );
}

// In letters. A longer text scrolls in its place, so the keyboard has to reach it.
const mostShown = 1500;

/** The texts of a message, each in the place of its field. */
export function Written({ texts }: { texts: (Line & { text: string })[] }) {
  return (
    <dl className={fieldsClass}>
      {texts.map(({ name, label, text, isLatin, isLong }) => (
        <div key={name} className={isLong && longClass}>
          <dt className={labelClass}>{label}</dt>
          {isLong ? (
            <dd
              dir="auto"
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
              tabIndex={text.length > mostShown ? 0 : undefined}
              className="ruled lines"
            >
              {text}
            </dd>
          ) : (
            <dd>
              <bdi dir={isLatin ? "ltr" : "auto"}>{text}</bdi>
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

/** The star on the sheet of a message that has arrived, and the text next to it. */
export function Seal({ children }: { children: ReactNode }) {
  return (
    <div className="flex items-start gap-4">
      <span className="seal" aria-hidden="true">
        <Icon path="m5 12.5 4.5 4.5L19 7.5" className="size-8" />
      </span>
      <div className="grid grow gap-1">{children}</div>
    </div>
  );
}
