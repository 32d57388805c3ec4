import { type MouseEvent, useEffect, useEffectEvent } from "react";
import { Link, useLocation } from "react-router";
import { type BoardMessage, type PromiseLine, rowOfLine } from "#app/models/inbox.ts";
import { boardLink } from "./board-url.ts";
import { Star } from "./star.tsx";
import { focusRow } from "./use-open.ts";

// The line is a border, because forced colours remove backgrounds.
const lineClass =
  "flex min-h-11 scroll-mt-36 items-center gap-3 px-3 text-sm font-bold after:flex-1 after:border-t-2 after:content-[''] print:hidden";

/** «خط الوعد», the present moment in the list. Waiting messages above it are in time, and those below it are late. */
export function NowLine({ line }: { line: PromiseLine }) {
  const { hash } = useLocation();
  const takeFocus = useEffectEvent(() => {
    const { activeElement: focused, body } = document;
    if (hash === "#now" && (focused === body || focused?.id === "to-line")) {
      focusRow(rowOfLine(line), { preventScroll: true });
    }
  });
  // The link to the line may have led to this page.
  useEffect(() => takeFocus(), []);
  return (
    <p
      id="now"
      className={`${lineClass} ${line.isLate ? "text-saffron-text after:border-dot" : "text-brand [--dot:var(--brand)]"}`}
    >
      <Star due={{ lit: 8 }} />
      <span>
        {line.text}
        <span className="sr-only">{line.forReaders}</span>
      </span>
    </p>
  );
}

interface LinkProps {
  line: PromiseLine;
  /** The messages of the list. */
  messages: readonly BoardMessage[];
}

/** Says how many are late, and leads to the line: on this page, or to the page of «بانتظار ردك» that begins with it. */
export function LineLink({ line, messages }: LinkProps) {
  const { isLate, link, before } = line;
  const row = rowOfLine(line);
  const look = {
    id: "to-line",
    className: `inline-flex min-h-11 items-center font-bold ${isLate ? "text-saffron-text" : "text-muted"}`,
  };
  const toLine = (event: MouseEvent) => {
    event.preventDefault();
    document.querySelector("#now")?.scrollIntoView({ block: "center" });
    focusRow(row, { preventScroll: true });
  };
  return messages.some(({ id }) => id === row) ? (
    <a href="#now" onClick={toLine} {...look}>
      {link}
    </a>
  ) : (
    <Link to={{ ...boardLink("", { box: "waiting", before }), hash: "#now" }} {...look}>
      {link}
    </Link>
  );
}
