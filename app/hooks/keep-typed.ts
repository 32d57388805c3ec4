type TextField = HTMLInputElement | HTMLTextAreaElement;

/**
 * Keeps what was typed or filled in before the scripts came. React makes a document again that a
 * translator or a password manager has changed (its error 418).
 * @returns a function that brings the texts and the focus of the old fields into the new ones
 */
export function keepTyped(): () => void {
  const fields = [...document.querySelectorAll<TextField>("input[id], textarea[id]")];
  let focused: EventTarget | null = document.activeElement;
  addEventListener("focusin", ({ target }) => (focused = target));
  return () => {
    const wasFocused = focused;
    for (const field of fields) {
      const made = document.getElementById(field.id) as TextField | null;
      if (!made || made === field) {
        continue;
      }
      made.value = field.value;
      if (field === wasFocused) {
        made.focus();
        made.setSelectionRange(field.selectionStart, field.selectionEnd);
      }
    }
  };
}
