export type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** The fields in which somebody types, ticks or chooses. */
export const fields = ":is(input:not([type=hidden]), select, textarea)";

export const isField = (target: EventTarget | null): target is Field =>
  target instanceof Element && target.matches(fields);
