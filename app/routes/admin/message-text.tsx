// The shortest text that may need to scroll, in lines of a narrow screen.
const longText = 15;
const letters = 20;
// A card shows this many lines, or one less and the way to the others. Letters of a line as on a phone, and on a laptop.
const shownLines = 3;
const narrow = 34;
const wide = 62;

const linesOf = (text: string, width: number) =>
  text.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / width)), 0);

/** A long text is cut until it is asked for. A very long one then scrolls, and takes the focus. */
export function MessageText({ name, message: text }: { name: string; message: string }) {
  const isLong = text.split("\n").length + text.length / letters > longText;
  const isCut = linesOf(text, narrow) > shownLines;
  const isCutWide = linesOf(text, wide) > shownLines;
  return (
    <div className={`${isCut ? "cut" : ""} ${isCutWide ? "cut-wide" : ""}`}>
      <div
        {...(isLong && { role: "group", "aria-label": `رسالة ${name}`, tabIndex: 0 })}
        className="message-text"
      >
        {/* Each line has the direction of its own words. */}
        <p className="wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext]">{text}</p>
      </div>
      {isCut && (
        <details className="whole">
          <summary className="text-sm text-brand underline underline-offset-4">
            <span className="when-closed">الرسالة كلها</span>
            <span className="when-open">إخفاء الباقي</span>
          </summary>
        </details>
      )}
    </div>
  );
}
