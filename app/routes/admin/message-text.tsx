import type { BoardMessage } from "#app/models/inbox.ts";

// A longer text may scroll. In lines of a narrow screen.
const longText = 15;
const letters = 20;
// Longer texts are cut: on a phone, and on a laptop.
const narrow = { lines: 3, letters: 34 };
const wide = { lines: 3, letters: 50 };

const exceeds = (text: string, { lines, letters: width }: typeof narrow) =>
  text.split("\n").reduce((sum, line) => sum + Math.ceil(line.length / width), 0) > lines;

/** A text with its search matches marked (Marks in models/inbox.ts). */
export function Marked({ text, marks }: { text: string; marks?: number[] | undefined }) {
  return [...(marks ?? []), text.length].map((end, index) => {
    const part = text.slice(marks?.[index - 1], end);
    return index % 2 ? <mark key={end}>{part}</mark> : part;
  });
}

/** Cuts a long text until it is opened. A very long one then scrolls and is focusable. */
export function MessageText({ id, name, message: text, found }: BoardMessage) {
  const isLong = text.split("\n").length + text.length / letters > longText;
  const isCut = exceeds(text, narrow);
  const isCutWide = exceeds(text, wide);
  const cut = isCutWide ? "not-print:cut" : "not-print:max-lg:cut";
  return (
    <div className={isCut ? cut : undefined}>
      <div
        {...(isLong && { role: "group", "aria-label": `رسالة ${name}`, tabIndex: 0 })}
        className="message-text -mx-2 max-h-124 overflow-y-auto px-2 print:max-h-none print:overflow-visible"
      >
        <p className="wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext]">
          <Marked text={text} marks={found?.marks.message} />
        </p>
      </div>
      {found?.excerpt && (
        <p className="excerpt mt-1 hidden text-sm/[1.6] wrap-anywhere [unicode-bidi:plaintext]">
          <Marked {...found.excerpt} />
        </p>
      )}
      {isCut && (
        <details className={`group ${isCutWide ? "" : "lg:hidden"}`}>
          <summary
            aria-describedby={`name-${id}`}
            className="text-sm text-brand underline underline-offset-4"
          >
            <span className="group-open:hidden">الرسالة كلها</span>
            <span className="not-group-open:hidden">إخفاء الباقي</span>
          </summary>
        </details>
      )}
    </div>
  );
}
