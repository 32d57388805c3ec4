import { type MouseEvent, useEffect, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router";
import { Icon } from "#app/components/icons.tsx";
import { boxNames } from "#app/models/boxes.ts";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import { quietClass } from "./class-names.ts";
import { icons } from "./icons.ts";
import { CloseLink, OpenLink } from "./open-link.tsx";
import { type MessageProps, OpenMessage } from "./open-message.tsx";
import { EmptyPlace, LoadingCard } from "./places.tsx";
import { focusRow, type Open, type OpenState } from "./use-open.ts";

interface Props extends Omit<MessageProps, "message"> {
  box: Scope;
  /** What it says while nothing is open. */
  hint: string;
}

const paneClass =
  "outline-0 px-3 max-lg:pb-36 max-lg:closed:hidden lg:sticky lg:top-(--head) lg:h-[calc(100svh-var(--head))] lg:overflow-y-auto lg:overscroll-contain lg:px-6 lg:pb-12 lg:*:max-w-184 lg:bare:hidden xl:px-10 print:static print:h-auto print:overflow-visible print:closed:hidden";

/** The open message, next to the list or in its place on a phone. */
export function Pane({ box, hint, ...props }: Props) {
  const { open, answer } = props;
  const { message, state } = open;
  const isBare = state === "none" && props.messages.length === 0;
  const lostNote = answer?.values?.["note"];
  return (
    <aside
      tabIndex={-1}
      {...(state !== "loading" && !isBare && { "aria-labelledby": "open" })}
      {...useOpening(open)}
      className={paneClass}
    >
      {state !== "none" && <BackBar box={box} open={open} />}
      {message && <OpenMessage key={message.id} {...props} message={message} />}
      {state === "loading" && <LoadingCard />}
      {state === "unknown" && (
        <div id="open" tabIndex={-1} className="outline-0">
          <EmptyPlace text="هذه الرسالة غير موجودة، أو حُذفت نهائيًا.">
            {lostNote && <blockquote className="whitespace-pre-wrap">{lostNote}</blockquote>}
          </EmptyPlace>
        </div>
      )}
      {state === "none" && !isBare && (
        <div id="open" className="grid min-h-[80%]">
          <EmptyPlace text={hint} />
        </div>
      )}
    </aside>
  );
}

const stepClass = `${quietClass} min-w-11`;

/** The bar above a message that is a page of its own. It leads to the list, and to the next messages there. */
function BackBar({ box, open }: { box: Scope; open: Open }) {
  return (
    <nav
      aria-label="التنقل"
      className="sticky top-0 z-2 -mx-1 flex flex-wrap justify-between bg-surface py-1 low:static lg:hidden print:hidden"
    >
      <CloseLink open={open} className={quietClass}>
        <Icon path={icons.start} />
        {boxNames[box]}
      </CloseLink>
      <span className="flex">
        {open.newer && (
          <OpenLink id={open.newer} className={stepClass}>
            <Icon path={icons.up} />
            <span className="sr-only">الأحدث</span>
          </OpenLink>
        )}
        {open.older && (
          <OpenLink id={open.older} className={stepClass}>
            <Icon path={icons.down} />
            <span className="sr-only">الأقدم</span>
          </OpenLink>
        )}
      </span>
    </nav>
  );
}

// Double clicks are rarely slower, and nobody aims at a button more quickly.
const tooSoonMs = 400;

/** Whether the last input was a key, or of a screen reader, which presses without a pointer. */
function useIsByKey() {
  const isByKey = useRef(true);
  useEffect(() => {
    const listening = new AbortController();
    const options = { signal: listening.signal, capture: true };
    addEventListener("keydown", () => (isByKey.current = true), options);
    addEventListener("pointerdown", () => (isByKey.current = false), options);
    return () => listening.abort();
  }, []);
  return isByKey;
}

/**
 * Moves the focus when another message opens, or when the message closes. It goes to the message's name if a key
 * opened it, and always on a phone. After an action next to the list, and after closing, it goes to the row. A
 * pointer leaves it where it is.
 */
function useOpening({ id }: Open) {
  const { key, search, state } = useLocation();
  const isBack = useNavigationType() === "POP";
  const isByKey = useIsByKey();
  const pane = useRef<HTMLElement>(null);
  const shown = useRef({ id, key });
  const openedAt = useRef(-tooSoonMs);
  useLayoutEffect(() => {
    const last = shown.current;
    shown.current = { id, key };
    const isAfterAction = new URLSearchParams(search).has("done");
    if (last.key === key || (last.id === id && isAfterAction)) {
      return;
    }
    const isPage = matchMedia("(width < 64rem)").matches;
    const isLost = document.activeElement === document.body || isPage;
    if (id === undefined) {
      return isLost ? focusRow(last.id, { preventScroll: !isPage || isBack }) : undefined;
    }
    if (last.id !== id) {
      openedAt.current = performance.now();
      pane.current?.scrollTo(0, 0);
    }
    if (isPage && !isBack) {
      scrollTo(0, 0);
    }
    if (!isPage && isAfterAction) {
      return focusRow(id);
    }
    if (isLost || (isByKey.current && !(state as OpenState | null)?.isStep)) {
      pane.current?.querySelector<HTMLElement>("#open")?.focus({ preventScroll: true });
    }
  });
  return {
    ref: pane,
    // The second click of a slow double click would change the message that the first one opened.
    onClickCapture(event: MouseEvent<HTMLElement>) {
      const isAction = (event.target as Element).closest("[role=group] button") !== null;
      // The `detail` of a key's click is 0.
      const isSoon = event.detail > 0 && performance.now() - openedAt.current < tooSoonMs;
      if (isAction && isSoon) {
        event.preventDefault();
      }
    },
  };
}
