import { useEffect, useRef } from "react";
import { useFetchers, useNavigation } from "react-router";
import { fields } from "./fields.ts";

export function useBusy(): boolean {
  const { formMethod } = useNavigation();
  const fetchers = useFetchers();
  return formMethod === "POST" || fetchers.length > 0;
}

export function useOnEnd(isRunning: boolean, onEnd: () => void): void {
  const wasRunning = useRef(false);
  useEffect(() => {
    if (wasRunning.current && !isRunning) {
      onEnd();
    }
    wasRunning.current = isRunning;
  });
}

/** Focuses the first wrong field, or the last one if disabling the form has lost the focus. */
export function focusWrong(form: HTMLFormElement | null): void {
  const all = (selector: string) => [...(form?.querySelectorAll<HTMLElement>(selector) ?? [])];
  const [wrong] = all("[aria-invalid=true]");
  const field =
    wrong ??
    (document.activeElement === document.body
      ? (all(fields).at(-1) ?? all("button")[0])
      : undefined);
  field?.focus();
  if (field instanceof HTMLInputElement) {
    field.select();
  }
}
