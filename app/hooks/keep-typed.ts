import { type Field, fields, isField } from "./fields.ts";

type State = string | boolean;

/**
 * Keeps what was typed, ticked, chosen or filled in before the scripts came. React does not know of it, and renders a
 * document again that a translator or a password manager has changed (its error 418).
 * @returns a function that tells React, in the fields that are there then, and brings the focus back
 */
export function keepTyped(): () => void {
  const kept = new Map<string, { field: Field; rendered: State; state: State }>();
  const keep = (target: EventTarget | null) => {
    if (isField(target) && target.id !== "") {
      const rendered = kept.get(target.id)?.rendered ?? renderedOf(target);
      kept.set(target.id, { field: target, rendered, state: stateOf(target) });
    }
  };
  const listening = new AbortController();
  const options = { capture: true, signal: listening.signal };
  let focused: EventTarget | null = document.activeElement;
  addEventListener("input", ({ target }) => keep(target), options);
  // Only fields, because an element that React renders again may take the focus for itself.
  addEventListener(
    "focusin",
    ({ target }) => (focused = isField(target) ? target : focused),
    options,
  );
  for (const field of document.querySelectorAll(`${fields}[id]`)) {
    keep(field);
  }
  return () => {
    listening.abort();
    for (const [id, { field, rendered, state }] of kept) {
      const made = document.getElementById(id);
      if (!isField(made)) {
        continue;
      }
      if (state !== rendered) {
        change(made, rendered, state);
      }
      if (field === focused && made !== document.activeElement) {
        made.focus();
      }
    }
  };
}

const isBox = (field: Field): field is HTMLInputElement => field.type === "checkbox";
const isList = (field: Field): field is HTMLSelectElement => field instanceof HTMLSelectElement;
const stateOf = (field: Field): State => (isBox(field) ? field.checked : field.value);

function renderedOf(field: Field): State {
  if (isList(field)) {
    const first = [...field.options].find(({ defaultSelected }) => defaultSelected);
    return (first ?? field.options[0])?.value ?? "";
  }
  return isBox(field) ? field.defaultChecked : field.defaultValue;
}

/** Changes a field as its user does. React compares with what was set by the element's own property. */
function change(field: Field, rendered: State, state: State): void {
  if (isBox(field)) {
    field.checked = rendered === true;
    field.click();
    return;
  }
  if (isList(field)) {
    field.value = String(state);
    field.dispatchEvent(new Event("change", { bubbles: true }));
    return;
  }
  const { selectionStart: start, selectionEnd: end } = field;
  field.value = String(rendered);
  const { prototype } = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
  Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, state);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  // An address field has none.
  if (field === document.activeElement && start !== null) {
    field.setSelectionRange(start, end);
  }
}
