import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useLocation } from "react-router";
import { showToast } from "#app/components/toast-store.ts";
import { useIsHidden, useReadAgain, useWakeUps } from "#app/hooks/read-again.ts";
import { inboxLimits } from "#app/models/inbox-limits.ts";
import type { InboxState } from "#app/models/inbox.server.ts";
import type { BoardMessage, InboxPage } from "#app/models/inbox.ts";
import { boardLink, listOf } from "./board-url.ts";
import { showsNew } from "./fresh.ts";
import { LiveSocket, type SocketState } from "./live-socket.ts";

interface Loaded {
  page: InboxPage;
  state: InboxState;
  box: string;
  isNewest: boolean;
  search?: unknown;
  /** When its reading began, by the clock of `performance`. Undefined for data that came with the document. */
  begunAt?: number;
}

interface Arrival {
  message: BoardMessage;
  at: number;
}

// In milliseconds. Boards that lost their server at the same time open their sockets at different times.
const openWithin = 1000;
const patience = 10_000;
// How long after the last and after the first new message the list is read again.
const afterLast = 2000;
const atLatest = 10_000;

const nothing: InboxPage = { messages: [], hasOlder: false };

/**
 * Returns what the board shows: its last data, even while they cannot be read again, and above them what
 * has arrived since. Keeps a socket open for that, and has the data read again when they may have changed.
 * @param loaded the data, a new object after each reading; undefined if it failed
 */
export function useLive<Read extends Loaded>(loaded: Read | undefined) {
  const board = useLast(loaded);
  const isOn = board?.state.may_read === true;
  const isHidden = useIsHidden();
  const [state, setState] = useState<SocketState>("opening");
  const socket = useRef<LiveSocket>(undefined);
  const open = () => socket.current?.open();
  const readAgain = useReadAgain({
    data: loaded,
    isMissing: (isOn && state === "missing") || (!loaded && !isHidden),
    // A hidden board keeps its socket open, but does not read its list again.
    instead: isHidden ? open : undefined,
  });
  useWakeUps(readAgain);
  const { arrivals, arrived, arrive } = useArrivals(board, readAgain);

  const hear = useEffectEvent((frame: string) => {
    const message = JSON.parse(frame) as BoardMessage | null;
    if (message) {
      arrive(message);
    } else {
      readAgain();
    }
  });
  useEffect(() => {
    if (!isOn) {
      return;
    }
    const own = new LiveSocket({ onState: setState, onFrame: (frame) => hear(frame) });
    socket.current = own;
    return () => {
      own.close();
      setState("opening");
    };
  }, [isOn]);

  const openSoon = useEffectEvent(() => {
    if (state === "missing") {
      return setTimeout(open, Math.random() * openWithin);
    }
    open();
    return undefined;
  });
  useEffect(() => {
    if (isOn && loaded) {
      const timer = openSoon();
      return () => clearTimeout(timer);
    }
    return undefined;
  }, [isOn, loaded]);

  const isLive = isOn && state === "live";
  useEffect(() => {
    // The socket did not report what came between the reading and its opening.
    if (isLive) {
      readAgain();
    }
  }, [isLive, readAgain]);

  const takesLive = board !== undefined && showsNew(board);
  const live = useMemo(
    () => (takesLive ? arrivals.map(({ message }) => message) : []),
    [takesLive, arrivals],
  );
  const { messages, hasOlder } = board?.page ?? nothing;
  const page = useMemo(
    () => ({ messages: [...live, ...messages], hasOlder }),
    [live, messages, hasOlder],
  );
  return {
    board,
    isLive,
    isCut: useIsLate(isOn && !isLive),
    live,
    page,
    arrived,
    pending: arrivals.length,
    counts: board && countsWith(board.state, arrivals.length),
    readAgain,
  };
}

/** The last data that were read, while those of the same list cannot be. */
function useLast<Read>(loaded: Read | undefined): Read | undefined {
  const list = listOf(useLocation().search);
  const [last, setLast] = useState({ list, loaded });
  if (loaded !== undefined && loaded !== last.loaded) {
    setLast({ list, loaded });
  }
  return loaded ?? (last.list === list ? last.loaded : undefined);
}

/** The new messages that the board's data lack, newest first, and how many have arrived since it was opened. */
function useArrivals(board: Loaded | undefined, readAgain: () => void) {
  const [{ all, arrived }, setAll] = useState<{ all: readonly Arrival[]; arrived: number }>({
    all: [],
    arrived: 0,
  });
  const arrivals = useMemo(() => {
    const { page = nothing, begunAt = 0 } = board ?? {};
    const read = new Set(page.messages.map(({ id }) => id));
    return all.filter(({ at, message }) => at >= begunAt && !read.has(message.id));
  }, [board, all]);

  const last = arrivals[0]?.at;
  const first = arrivals.at(-1)?.at;
  useEffect(() => {
    if (last === undefined || first === undefined) {
      return;
    }
    const due = Math.min(last + afterLast, first + atLatest);
    const timer = setTimeout(readAgain, due - performance.now());
    return () => clearTimeout(timer);
  }, [last, first, readAgain]);

  function arrive(message: BoardMessage) {
    if (all.some((other) => other.message.id === message.id)) {
      return;
    }
    const arrival = { message, at: performance.now() };
    setAll(({ all: earlier, arrived: count }) => ({
      all: [arrival, ...earlier].slice(0, inboxLimits.live),
      arrived: count + 1,
    }));
    showToast({
      type: "info",
      to: boardLink("", { open: message.id }),
      message: "رسالة جديدة!",
      description: (
        <span className="block overflow-clip">
          من <bdi>{message.name}</bdi>
        </span>
      ),
    });
  }
  return { arrivals, arrived, arrive };
}

/** Whether something has lasted too long to wait for it. */
function useIsLate(isWaiting: boolean): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) {
      return;
    }
    const timer = setTimeout(setIsLate, patience, true);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [isWaiting]);
  return isLate;
}

const countsWith = ({ messages, ...state }: InboxState, arrived: number) => ({
  ...state,
  all: messages + arrived,
  waiting: state.waiting + arrived,
});
