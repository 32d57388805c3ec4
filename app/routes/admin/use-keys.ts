import { useEffect } from "react";
import { openMessage } from "./use-send.ts";

const find = <Found extends HTMLElement>(selector: string, within: ParentNode = document) =>
  within.querySelector<Found>(selector);

const rows = () => [...document.querySelectorAll<HTMLElement>("article")];

const openRow = () => find("article:has(details[open])");

/** The message that has the focus, or else the open one. */
const current = () => document.activeElement?.closest<HTMLElement>("article") ?? openRow();

/** Focuses the next or the previous message. It opens if another one was open. */
function move(step: 1 | -1) {
  const all = rows();
  const from = current();
  const to = all[from ? all.indexOf(from) + step : 0];
  if (openRow()) {
    openMessage(to?.id.replace("message-", ""));
  } else if (to) {
    find("summary", to)?.focus();
  }
}

const click = (selector: string, within: ParentNode | null = current()) =>
  within && find(selector, within)?.click();

function close() {
  const row = openRow();
  find("details[open]")?.removeAttribute("open");
  if (row) {
    find("summary", row)?.focus();
  }
}

/** What each key does, by its place (`event.code`), so that they work with an Arabic layout. */
const actions: Record<string, () => void> = {
  KeyJ: () => move(1),
  KeyK: () => move(-1),
  KeyR: () => click(".actions a"),
  KeyD: () => click(`.actions [value^="answer:"]`),
  KeyE: () => click(`.actions [value^="archive:"]`),
  KeyX: () => click("[name=ids]"),
  KeyZ: () => click("[name=undo]", document),
  Slash: () => find("[type=search]")?.focus(),
};

const fields = "input:not([type=checkbox]), textarea, select, [contenteditable], dialog";

/**
 * Listens for the board's keys, outside of fields and without modifiers. `?` calls `showKeys`, which
 * must not change.
 */
export function useKeys(showKeys: () => void): void {
  useEffect(() => {
    const listening = new AbortController();
    const press = (event: KeyboardEvent) => {
      const { code, shiftKey, target } = event;
      const isTyped = target instanceof Element && target.closest(fields) !== null;
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
      // A held key moves through the list, and does nothing else twice.
      const isHeld = event.repeat && !["KeyJ", "KeyK"].includes(code);
      if (isTyped || hasModifier || isHeld || event.defaultPrevented) {
        return;
      }
      if (code === "Escape") {
        return close();
      }
      const action = shiftKey ? code === "Slash" && showKeys : actions[code];
      if (action) {
        event.preventDefault();
        action();
      }
    };
    addEventListener("keydown", press, listening);
    return () => listening.abort();
  }, [showKeys]);
}
