import { useLayoutEffect, useRef } from "react";
import { href, Link } from "react-router";
import { arabicNumber } from "#app/lib/arabic-number.ts";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import { type Box, boxes, boxNames } from "#app/models/inbox-limits.ts";
import { boxIcons } from "./message-texts.ts";

/** The board with a query of these parts. */
export function boardPath(...parts: (string | undefined)[]) {
  const query = parts.filter(Boolean).join("&");
  return { pathname: href("/admin"), search: query && `?${query}` };
}

export type Counts = Record<Box, number>;

interface Props {
  current: Scope;
  /** Undefined while the list cannot be read. */
  counts: Counts | undefined;
}

export function BoxNav({ current, counts }: Props) {
  const nav = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    show(nav.current?.children[boxes.findIndex((box) => box === current)]);
  }, [current]);
  return (
    <nav ref={nav} aria-label="الصناديق" className="boxes">
      {boxes.map((box) => (
        <Link
          key={box}
          to={boardPath(box === "all" ? "" : `box=${box}`)}
          aria-current={box === current ? "page" : undefined}
          className={`icon ${boxIcons[box]}`}
        >
          {boxNames[box]}
          {counts && counts[box] > 0 && <span>{arabicNumber(counts[box])}</span>}
        </Link>
      ))}
    </nav>
  );
}

/** Scrolls only the boxes, which are wider than a phone: scrollIntoView would also move the page. */
function show(link: Element | undefined) {
  const nav = link?.parentElement;
  if (nav) {
    const [box, frame] = [link.getBoundingClientRect(), nav.getBoundingClientRect()];
    nav.scrollLeft += Math.min(0, box.left - frame.left) + Math.max(0, box.right - frame.right);
  }
}
