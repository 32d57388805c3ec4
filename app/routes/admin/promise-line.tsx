import { type MouseEvent, useEffect, useEffectEvent } from "react";
import { Link, useLocation } from "react-router";
import { cursorText, type PromiseLine } from "#app/models/inbox.ts";
import { boardLink } from "./board-url.ts";
import type { placeOfLine } from "./line-place.ts";
import { opensElsewhere } from "./open-link.tsx";
import { Star } from "./star.tsx";
import { focusRow } from "./use-open.ts";

interface Props extends NonNullable<ReturnType<typeof placeOfLine>> {
  line: PromiseLine;
}

// The rule is a border, because forced colours remove backgrounds.
const linkClass =
  "flex min-h-11 items-center gap-3 px-3 text-sm/5 font-bold text-balance -outline-offset-3 after:min-w-6 after:flex-1 after:border-t-2 after:border-dot motion-safe:transition-colors motion-safe:duration-700 forced-colors:border-t forced-colors:text-[CanvasText] forced-colors:after:border-[CanvasText]";

/** Its last id, so that the page begins with a message and not after it. */
const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * «خط الوعد», the present moment in the list. Waiting messages above it are in time, and those below it are late.
 * It sticks to the edges of the window like a horizon, and leads to its row. It does not lead to itself: what
 * sticks counts as being where it is seen.
 */
export function NowLine({ line, target, isHere }: Props) {
  const { isLate, text } = line;
  const { hash, search } = useLocation();
  const row = `#m-${target.id}`;
  const takeFocus = useEffectEvent((wanted: string) => {
    const focused = document.activeElement;
    if (wanted === row && (focused === document.body || focused?.closest("#now"))) {
      focusRow(target.id, { preventScroll: true });
    }
  });
  // The line of another page may have led to this one.
  useEffect(() => takeFocus(hash), [hash]);
  const toRow = (event: MouseEvent) => {
    if (isHere && !opensElsewhere(event)) {
      event.preventDefault();
      document.querySelector(row)?.scrollIntoView({ block: "center" });
      focusRow(target.id, { preventScroll: true });
    }
  };
  const before = cursorText({ ...target, id: lastId });
  return (
    <li id="now" className="horizon low:static">
      <Link
        to={{
          ...(isHere ? boardLink(search) : boardLink("", { box: "waiting", before })),
          hash: row,
        }}
        onClick={toRow}
        className={`${linkClass} ${isLate ? "text-saffron-text" : "text-brand [--dot:var(--brand)]"}`}
      >
        <Star due={{ lit: 8 }} />
        {text}
        <span className="sr-only">
          {isLate && "، تأخر الرد"}
          {!isHere && "، في صفحة أخرى"}
        </span>
      </Link>
    </li>
  );
}
