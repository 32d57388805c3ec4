import { type RefObject, useEffect, useEffectEvent } from "react";
import type { SortAction } from "#app/models/boxes.ts";
import type { BoardMessage } from "#app/models/inbox.ts";
import { actionsOf } from "./message-texts.ts";
import { focusRow, nextAfter, type Open } from "./use-open.ts";
import type { Selection } from "./use-selection.ts";
import { useSend } from "./use-send.ts";

export interface KeyProps {
  messages: readonly BoardMessage[];
  open: Open;
  /** Undefined for an inbox that is not the reader's. */
  selection: Selection | undefined;
  /** The value of the undo button. */
  undo: string | undefined;
  /** The URL that the forms are posted to. */
  action: string;
}

const fields = "input:not([type=checkbox]), select, textarea";

const rowOf = (target: Element) => target.closest("article")?.id.replace("m-", "");

/** How many rows stand above the line of the promise, if that has the focus. */
function rowsAboveLine(target: Element): number | undefined {
  const line = target.closest("#now");
  return line ? [...(line.parentElement?.children ?? [])].indexOf(line) : undefined;
}

const find = (selector: string) => document.querySelector<HTMLElement>(selector);

/** Puts the caret behind what the note says. */
function focusNote() {
  const note = document.querySelector<HTMLTextAreaElement>("aside textarea");
  note?.focus();
  note?.setSelectionRange(note.value.length, note.value.length);
}

/**
 * The board's keys, while the focus is in list, pane or notice: elsewhere, in fields and with modifiers they
 * do nothing. Those that change something need the focus on a row, in the pane or on the notice, because the
 * list gets it after a load by itself (WCAG 2.1.4). A key is known by its place on the keyboard
 * (`event.code`), so that it works with an Arabic layout. They act on the message whose row has the focus, or
 * otherwise on the open one.
 */
export function useKeys(board: KeyProps, help: RefObject<HTMLElement | null>): void {
  const { messages, open, selection, undo, action } = board;
  const send = useSend();

  function move(at: number, step: 1 | -1) {
    const to = messages[at === -1 ? 0 : at + step]?.id;
    if (to === undefined) {
      return;
    }
    find("#list")?.removeAttribute("data-mouse");
    if (open.state === "message") {
      open.open(to, { isStep: true });
    }
    focusRow(to, { preventScroll: true });
    document.activeElement?.closest("article")?.scrollIntoView({ block: "nearest" });
  }

  /** Closes the list of «المزيد», or otherwise the open message. */
  function close() {
    const more = find("[role=search] [open] > summary");
    if (more) {
      more.click();
      more.focus();
    } else if (open.id !== undefined) {
      open.close();
    }
  }

  function post(form: Record<string, string>) {
    if (selection) {
      void send(form, { action, method: "post" });
    }
  }

  function sort(message: BoardMessage, what: SortAction) {
    if (actionsOf(message).includes(what)) {
      const next = nextAfter(what, message, messages) ?? "";
      post({ action: what, one: message.id, next, nextWaiting: next });
    }
  }

  const press = useEffectEvent((event: KeyboardEvent) => {
    const { code, key, shiftKey, repeat, target } = event;
    if (!(target instanceof Element && target.closest("main")) || target.closest(fields)) {
      return;
    }
    const isOnMessage = target.closest("article, aside, #notice") !== null;
    const isHelp = key === "?" || key === "؟";
    // The focus goes to the help a moment after it opens. Escape then belongs to the browser.
    if (help.current?.matches(":popover-open") && !isHelp) {
      return;
    }
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
    // A held key moves through the list, and repeats nothing else.
    const isHeld = repeat && code !== "KeyJ" && code !== "KeyK";
    if (hasModifier || isHeld || event.defaultPrevented) {
      return;
    }
    const id = rowOf(target) ?? open.id;
    const at = messages.findIndex((one) => one.id === id);
    const message = messages[at] ?? open.message;
    const fromLine = rowsAboveLine(target);
    const first = messages[0]?.id;
    const openFirst = () => first !== undefined && open.open(first);
    const moves: Record<string, () => void> = {
      KeyJ: () => move(fromLine === undefined ? at : fromLine - 1, 1),
      KeyK: () => move(fromLine ?? at, -1),
      KeyG: () => find("#now a")?.click(),
      Slash: () => find("[type=search]")?.focus(),
      Escape: close,
      ...(target.id === "list" && { Enter: openFirst, NumpadEnter: openFirst }),
    };
    /** Something in the pane. A message that is not open is opened first. */
    const inPane = (act: () => void) => (message?.id === open.id ? act() : id && open.open(id));
    const changes: Record<string, () => void> = {
      KeyR: () => inPane(() => find("[data-reply]")?.click()),
      KeyN: () => inPane(focusNote),
      KeyD: () => message && sort(message, "answer"),
      KeyE: () => message && sort(message, "archive"),
      KeyX: () => message && messages.includes(message) && selection?.toggle(message.id),
      KeyZ: () => undo !== undefined && post({ undo }),
    };
    const act = isHelp
      ? () => help.current?.togglePopover()
      : shiftKey
        ? undefined
        : (moves[code] ?? (isOnMessage ? changes[code] : undefined));
    if (act) {
      event.preventDefault();
      act();
    }
  });
  useEffect(() => {
    const listening = new AbortController();
    addEventListener("keydown", (event) => press(event), listening);
    return () => listening.abort();
  }, []);
}
