import { useEffect, useRef } from "react";
import { useNavigation } from "react-router";

/**
 * Whether a post is under way.
 * @param onBack what to do when the page stays and has its answer
 */
export function useBusyForm(onBack: () => void): boolean {
  const { formMethod, state } = useNavigation();
  const busy = state !== "idle" && formMethod === "POST";
  const wasBusy = useRef(false);
  useEffect(() => {
    if (wasBusy.current && !busy) onBack();
    wasBusy.current = busy;
  });
  return busy;
}

/**
 * Focuses a form's first wrong field, with its text selected. Where no field is wrong it is
 * the last one, if nothing has the focus: fields lose it when a post disables them.
 */
export function focusWrong(form: HTMLFormElement | null): void {
  const last = () => [...(form?.querySelectorAll<HTMLElement>("input,textarea") ?? [])].at(-1);
  const field =
    form?.querySelector<HTMLElement>("[aria-invalid]") ??
    (document.activeElement === document.body ? last() : undefined);
  field?.focus();
  if (field instanceof HTMLInputElement) field.select();
}
