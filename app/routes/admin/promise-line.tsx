import { type MouseEvent, useEffect, useEffectEvent } from "react";
import { Link, useLocation } from "react-router";
import { type BoardMessage, type PromiseLine, rowOfLine } from "#app/models/inbox.ts";
import { boardLink } from "./board-url.ts";
import { Star } from "./star.tsx";
import { focusRow } from "./use-open.ts";

// It is a border, because forced colours remove backgrounds.
const lineClass =
  "flex min-h-11 scroll-mt-36 items-center gap-3 px-3 text-sm font-bold after:flex-1 after:border-t-2 after:content-[''] print:hidden";

/** «خط الوعد»: now, in the list. Waiting messages above it are in time, those below are late. */
export function NowLine({ line }: { line: PromiseLine }) {
  const { hash } = useLocation();
  const takeFocus = useEffectEvent(() => {
    const { activeElement: focused, body } = document;
    if (hash === "#now" && (focused === body || focused?.id === "to-line")) {
      focusRow(rowOfLine(line), { preventScroll: true });
    }
  });
  // A link has led to this page for it.
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
  /** Those of the list. */
  messages: readonly BoardMessage[];
}

/** How many are late. Leads to the line: on this page, or in «بانتظار ردك», where it then comes first. */
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
