import { type MouseEvent, useEffect, useEffectEvent } from "react";
import { Link, useLocation } from "react-router";
import { arabicNumber } from "#app/lib/arabic-number.ts";
import { counted, type PluralForms } from "#app/lib/arabic-plural.ts";
import { type BoardMessage, type PromiseLine, rowOfLine } from "#app/models/inbox.ts";
import { boardLink } from "./board-url.ts";
import { Star } from "./star.tsx";
import { focusRow } from "./use-open.ts";

const belowForms: PluralForms = {
  zero: "",
  one: "واحد تحته",
  two: "اثنان تحته",
  few: "تحته",
  many: "تحته",
  other: "تحته",
};

const lateForms: PluralForms = {
  zero: "",
  one: "رسالة متأخرة",
  two: "رسالتان متأخرتان",
  few: "رسائل متأخرة",
  many: "رسالة متأخرة",
  other: "رسالة متأخرة",
};

const nobody = "لا أحد تحت الخط";

const olderText = (old: number) => (old > 0 ? ` · ${arabicNumber(old)} من قبل` : "");

// It is a border, because forced colours remove backgrounds.
const lineClass =
  "flex min-h-11 scroll-mt-36 items-center gap-3 px-3 text-sm font-bold after:flex-1 after:border-t-2 after:content-[''] print:hidden";

/** «خط الوعد»: now, in the list. Waiting messages above it are in time, those below are late. */
export function NowLine({ line }: { line: PromiseLine }) {
  const { late, old, isOpen } = line;
  const { hash } = useLocation();
  const takeFocus = useEffectEvent(() => {
    const { activeElement: focused, body } = document;
    if (hash === "#now" && (focused === body || focused?.id === "to-line")) {
      focusRow(rowOfLine(line), { preventScroll: true });
    }
  });
  // A link has led to this page for it.
  useEffect(() => takeFocus(), []);
  return late > 0 ? (
    <p id="now" className={`${lineClass} text-saffron-text after:border-dot`}>
      <Star due={{ lit: 8 }} />
      <span>
        {isOpen ? "الآن" : "الآن · خارج ساعات عملك"}
        <span className="sr-only">. تحته {counted(late, lateForms)}</span>
      </span>
    </p>
  ) : (
    <p id="now" className={`${lineClass} text-brand [--dot:var(--brand)]`}>
      <Star due={{ lit: 8 }} />
      <span>{nobody + olderText(old)}</span>
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
  const { late, old, before } = line;
  const row = rowOfLine(line);
  const text = (late > 0 ? `خط الوعد: ${counted(late, belowForms)}` : nobody) + olderText(old);
  const look = {
    id: "to-line",
    className: `inline-flex min-h-11 items-center font-bold ${late > 0 ? "text-saffron-text" : "text-muted"}`,
  };
  const toLine = (event: MouseEvent) => {
    event.preventDefault();
    document.querySelector("#now")?.scrollIntoView({ block: "center" });
    focusRow(row, { preventScroll: true });
  };
  return messages.some(({ id }) => id === row) ? (
    <a href="#now" onClick={toLine} {...look}>
      {text}
    </a>
  ) : (
    <Link to={{ ...boardLink("", { box: "waiting", before }), hash: "#now" }} {...look}>
      {text}
    </Link>
  );
}
