import { useEffect, useRef } from "react";
import { useNavigation } from "react-router";

/**
 * Whether a form is being sent.
 * @param onAnswer called when the answer is there and the page stays
 */
export function useBusyForm(onAnswer: () => void): boolean {
  const { formMethod, state } = useNavigation();
  const busy = state !== "idle" && formMethod === "POST";
  const wasBusy = useRef(false);
  useEffect(() => {
    if (wasBusy.current && !busy) {
      onAnswer();
    }
    wasBusy.current = busy;
  });
  return busy;
}

/**
 * Focuses a form's first wrong field and selects its text. If no field is wrong and nothing has
 * the focus, it focuses the last field: a disabled fieldset takes the focus from its fields.
 */
export function focusWrong(form: HTMLFormElement | null): void {
  const last = () => [...(form?.querySelectorAll<HTMLElement>("input,textarea") ?? [])].at(-1);
  const field =
    form?.querySelector<HTMLElement>("[aria-invalid]") ??
    (document.activeElement === document.body ? last() : undefined);
  field?.focus();
  if (field instanceof HTMLInputElement) {
    field.select();
  }
}
