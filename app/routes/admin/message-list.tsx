import { type PointerEvent, useEffect, useLayoutEffect, useRef } from "react";
import { Link, useLocation } from "react-router";
import { Icon } from "#app/components/icons.tsx";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import {
  type BoardMessage,
  cursorText,
  type InboxPage,
  type PromiseLine,
} from "#app/models/inbox.ts";
import type { BoardSearch } from "./board-data.server.ts";
import type { BoardFault } from "./board-faults.server.ts";
import { boardLink } from "./board-url.ts";
import { linkClass } from "./class-names.ts";
import { isLastFresh, showsNew } from "./fresh.ts";
import { icons } from "./icons.ts";
import { placeOfLine } from "./line-place.ts";
import { emptyTexts } from "./message-texts.ts";
import { useRowOpening } from "./open-link.tsx";
import { EmptyPlace } from "./places.tsx";
import { NowLine } from "./promise-line.tsx";
import { Row } from "./row.tsx";
import { useFresh } from "./use-fresh.ts";
import type { Open } from "./use-open.ts";
import type { Selection } from "./use-selection.ts";

interface Props {
  state: { seen_at: string | null; fresh: number };
  /** Undefined if the line is not in this list. */
  line?: PromiseLine | undefined;
  /** The loaded page with the live messages. */
  page: InboxPage;
  live: readonly BoardMessage[];
  /** How many messages have arrived since the board was opened, and how many of them its data lack. */
  arrived: number;
  pending: number;
  box: Scope;
  /** The query of the list; `pageQuery` adds the page. */
  list: string;
  pageQuery: string;
  isNewest: boolean;
  search?: BoardSearch | undefined;
  open: Open;
  /** Undefined for an inbox that is not the reader's. */
  selection: Selection | undefined;
  /** The advice to turn on notifications. */
  tip: BoardFault | undefined;
}

const moreClass = `${linkClass} mx-3 inline-flex min-h-11 items-center text-sm print:hidden`;

/** The messages of a box or a search, newest first, and the ways to older and newer ones. */
export function MessageList({ state, line, page, live, tip, selection, ...view }: Props) {
  const { arrived, pending, box, list, pageQuery, open, isNewest, search } = view;
  const { messages, hasOlder } = page;
  const last = messages.at(-1);
  const older = hasOlder && last && cursorText(last);
  const isTop = showsNew(view);
  const element = useFirstFocus();
  useAnchor(messages[0]?.id);
  const { search: query } = boardLink(useLocation().search, { open: undefined });
  const onOpen = useRowOpening(open);
  const since = useFresh({ state, arrived, pending, messages, hasOlder, pageQuery, isTop });
  const place = line && placeOfLine(line, messages);
  const rows = messages.map((message, index) => (
    <li key={message.id}>
      <Row
        message={message}
        query={query && `${query.slice(1)}&`}
        isOpen={message.id === open.id}
        isSelected={selection?.ids.has(message.id) ?? false}
        hasArrived={live.includes(message)}
        isAtLine={message.id === line?.below?.id || message.id === line?.above?.id}
        onOpen={onOpen}
        onSelect={selection?.toggle}
      />
      {isLastFresh(message, messages[index + 1], since) && (
        <p className="flex items-center justify-center gap-1 py-1 text-sm text-saffron-text">
          <Icon path={icons.up} className="size-4" />
          الجديد منذ زيارتك الأخيرة
        </p>
      )}
    </li>
  ));
  return (
    <>
      {!isNewest && (
        <Link to={boardLink(list)} className={moreClass}>
          أحدث الرسائل
        </Link>
      )}
      {messages.length > 0 && (
        <ol
          id="list"
          ref={element}
          tabIndex={-1}
          aria-label="الرسائل"
          onPointerMove={markMouse}
          onPointerDown={markMouse}
          className="isolate divide-y divide-line border-y border-line outline-0 transition-opacity delay-150 in-aria-busy:opacity-60"
        >
          {line && place
            ? rows.toSpliced(place.index, 0, <NowLine key="now" line={line} {...place} />)
            : rows}
        </ol>
      )}
      {messages.length === 0 && !older && !search?.error && (
        <EmptyPlace text={emptyTexts[isNewest ? (search ? "search" : box) : "older"]} />
      )}
      {older && (
        <Link to={boardLink(list, { before: older })} className={moreClass}>
          رسائل أقدم
        </Link>
      )}
      {tip && (
        <p className="px-3 pt-2 text-sm text-muted print:hidden">
          {tip.text}{" "}
          <a href={tip.to} className={linkClass}>
            {tip.link}
          </a>
        </p>
      )}
    </>
  );
}

/**
 * Focuses the list if nothing else has or claims the focus: after a load, and when the focused element is gone.
 * Then its keys work from the first second.
 */
function useFirstFocus() {
  const { hash } = useLocation();
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const isClaimed = hash !== "" || document.getElementById("notice") !== null;
    if (document.activeElement === document.body && !isClaimed) {
      list.current?.focus({ preventScroll: true });
    }
  });
  return list;
}

/**
 * Marks the list while its last pointer was a mouse, without rendering it again. A key that moves through the
 * list removes the mark (use-keys.ts), so that a row under a resting mouse does not look chosen.
 */
const markMouse = ({ currentTarget, pointerType }: PointerEvent<HTMLElement>) =>
  void currentTarget.toggleAttribute("data-mouse", pointerType === "mouse");

/** Keeps a scrolled list where it is when rows arrive above it, which Safari does not. */
function useAnchor(first: string | undefined) {
  const last = useRef(first);
  useLayoutEffect(() => {
    const before = last.current;
    last.current = first;
    // Only Safari needs the measuring, which makes a browser lay the page out at once.
    if (CSS.supports("overflow-anchor: auto")) {
      return;
    }
    const topOf = (id?: string) => document.getElementById(`m-${id}`)?.getBoundingClientRect().top;
    const top = topOf(first) ?? 0;
    const arrived = (topOf(before) ?? top) - top;
    if (top < 0 && arrived > 0) {
      scrollBy(0, arrived);
    }
  }, [first]);
}
