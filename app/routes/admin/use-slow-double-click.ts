import { type MouseEvent, type ToggleEvent, useRef } from "react";

// Slower double clicks are rare, and nobody aims at a button that quickly.
const tooSoon = 400;

/**
 * Handlers of the list, which keep the second click of a slow double click from the message that the
 * first one opened: its buttons are under the pointer then.
 */
export function useSlowDoubleClick() {
  const openedAt = useRef(-tooSoon);
  return {
    onToggleCapture({ newState }: ToggleEvent) {
      if (newState === "open") {
        openedAt.current = performance.now();
      }
    },
    onClickCapture(event: MouseEvent) {
      // A key's click has no count.
      const isSoon = event.detail > 0 && performance.now() - openedAt.current < tooSoon;
      if (isSoon && (event.target as Element).closest(".message:has(> [open]) .actions button")) {
        event.preventDefault();
      }
    },
  };
}
