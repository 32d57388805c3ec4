import { useEffect, useState } from "react";
import {
  type Location,
  type NavigateOptions,
  useLocation,
  useNavigate,
  useNavigationType,
} from "react-router";
import type { SortAction } from "#app/models/boxes.ts";
import type { BoardMessage } from "#app/models/inbox.ts";
import { boardLink } from "./board-url.ts";
import { isWaiting } from "./message-texts.ts";

/** What the history remembers of an address with an open message. */
export interface OpenState {
  /** The key of the list's own entry, under which its place is remembered (root.tsx). */
  list?: string;
  /** Whether the entry before it is the list. */
  fromList?: boolean | undefined;
  /** Whether it was opened by J or K, which leave the focus in the list. */
  isStep?: boolean;
}

/** All that the board can show open. */
interface Board {
  /** The message that the address named at the load; null if there is none. */
  opened?: BoardMessage | null;
  openedId?: string | undefined;
}

export interface Open {
  /** The message's id. */
  id: string | undefined;
  /** The message of the list, or as it was when it left the list. */
  message: BoardMessage | undefined;
  /** Whether the message is in no data of the board any more. */
  isGone: boolean;
  state: "none" | "message" | "loading" | "unknown";
  newer: string | undefined;
  older: string | undefined;
  /** Whether the entry before this one in the history is the list. */
  fromList: boolean;
  open: (id: string, state?: OpenState) => void;
  close: () => void;
}

const idPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

const openIn = (search: string) => new URLSearchParams(search).get("open") ?? undefined;

/**
 * Where a message opens, or the list again without an `id`, for a link or `navigate`. A message takes
 * the place of an open one in the history, so that one step back closes it.
 */
export function moveTo({ key, search, state }: Location<OpenState | null>, id?: string) {
  const isOverMessage = openIn(search) !== undefined;
  return {
    to: boardLink(search, { open: id }),
    replace: id !== undefined && isOverMessage,
    preventScrollReset: true,
    state: {
      list: state?.list ?? key,
      fromList: isOverMessage ? state?.fromList : true,
    } satisfies OpenState,
  };
}

/** Focuses the link of a message's row, if the list shows it. */
export function focusRow(id: string | undefined, options?: FocusOptions): void {
  document.querySelector<HTMLElement>(`#m-${id} h2 a`)?.focus(options);
}

/**
 * What opens after an action on a message: the one below it in the list, or otherwise above it. After an
 * answer it is the next one that waits, so that they form one queue. Undefined if there is none.
 */
export function nextAfter(
  action: SortAction,
  message: BoardMessage,
  messages: readonly BoardMessage[],
): string | undefined {
  const at = messages.findIndex(({ id }) => id === message.id);
  if (at === -1) {
    return undefined;
  }
  const others = [...messages.slice(at + 1), ...messages.slice(0, at).toReversed()];
  const isQueue = action === "answer" && isWaiting(message);
  return (isQueue ? others.find(isWaiting) : others[0])?.id;
}

/** The open message, by the address. @param messages those of the list, also live ones */
export function useOpen(
  board: Board | undefined,
  messages: readonly BoardMessage[],
  readAgain: () => void,
): Open {
  const location = useLocation();
  const navigate = useNavigate();
  const fromList = useFromList(location);
  const id = openIn(location.search);
  const found = id === undefined ? undefined : findMessage(id, board, messages);
  const [kept, setKept] = useState(found);
  if (found && found !== kept) {
    setKept(found);
  }
  const message = found ?? (kept?.id === id ? kept : undefined);
  const state = stateOf({ id, message, board });
  const missing = state === "loading" ? id : undefined;
  useEffect(() => {
    // The history led to a message that the board does not know.
    if (missing !== undefined) {
      readAgain();
    }
  }, [missing, readAgain]);
  const at = messages.findIndex((one) => one.id === id);
  const newer = at > 0 ? messages[at - 1]?.id : undefined;
  const older = at === -1 ? undefined : messages[at + 1]?.id;
  const go = (target: string | undefined, more?: OpenState) => {
    const { to, ...options } = moveTo(location, target);
    // Without flushSync React renders in slices, and the page changes later.
    void navigate(to, {
      ...options,
      flushSync: true,
      state: { ...options.state, ...more },
    } satisfies NavigateOptions);
  };
  return {
    id,
    message,
    isGone: message !== undefined && !found,
    state,
    newer,
    older,
    fromList,
    open: go,
    close: () => (fromList ? void navigate(-1) : go(undefined)),
  };
}

/** The redirect after an action takes the place of the entry, and loses its state. */
function useFromList({ key, state }: Location<OpenState | null>): boolean {
  const isReplaced = useNavigationType() === "REPLACE";
  const [last, setLast] = useState({ key, fromList: state?.fromList === true });
  if (last.key === key) {
    return last.fromList;
  }
  const fromList = isReplaced ? last.fromList : state?.fromList === true;
  setLast({ key, fromList });
  return fromList;
}

function findMessage(id: string, board: Board | undefined, messages: readonly BoardMessage[]) {
  const { opened } = board ?? {};
  return [...messages, ...(opened ? [opened] : [])].find((message) => message.id === id);
}

function stateOf({
  id,
  message,
  board,
}: Pick<Open, "id" | "message"> & { board?: Board | undefined }) {
  if (id === undefined || !board) {
    return "none";
  }
  if (message) {
    return "message";
  }
  return board.openedId === id || !idPattern.test(id) ? "unknown" : "loading";
}
