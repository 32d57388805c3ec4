import { useEffect, useRef } from "react";
import { useFetchers, useNavigation } from "react-router";

/** Whether any form of the page is being sent. */
export function useBusy(): boolean {
  const { formMethod } = useNavigation();
  const fetchers = useFetchers();
  return formMethod === "POST" || fetchers.length > 0;
}

/** Calls a function when something ends that was running. */
export function useOnEnd(isRunning: boolean, onEnd: () => void): void {
  const wasRunning = useRef(false);
  useEffect(() => {
    if (wasRunning.current && !isRunning) {
      onEnd();
    }
    wasRunning.current = isRunning;
  });
}

/**
 * Focuses a form's first wrong field and selects its text. If no field is wrong and the focus was
 * lost, because the form was disabled, it focuses the last field or else the button.
 */
export function focusWrong(form: HTMLFormElement | null): void {
  const all = (selector: string) => [...(form?.querySelectorAll<HTMLElement>(selector) ?? [])];
  const [wrong] = all("[aria-invalid]");
  const field =
    wrong ??
    (document.activeElement === document.body
      ? (all("input:not([type=hidden]),textarea").at(-1) ?? all("button")[0])
      : undefined);
  field?.focus();
  if (field instanceof HTMLInputElement) {
    field.select();
  }
}
