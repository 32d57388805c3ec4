import type { Due } from "#app/models/inbox.ts";

/** The classes of elements that the board has several of. They are 44 px high, and only one in view is filled. */

const button =
  "inline-flex min-h-11 cursor-pointer items-center justify-center gap-2 rounded-xl border px-4 py-1 text-md/normal whitespace-nowrap max-[18rem]:whitespace-normal";

export const fillClass = `${button} border-transparent bg-brand font-bold text-on-brand hover:bg-brand-strong`;
export const outlineClass = `${button} border-line font-bold text-brand hover:border-brand`;
/** With `data-offered` it is highlighted as the expected next step. */
export const quietClass = `${button} border-transparent px-2! text-muted hover:bg-tint hover:text-brand data-offered:bg-tint data-offered:font-bold data-offered:text-brand`;

export const linkClass = "text-brand underline underline-offset-4";

export const fieldClass =
  "min-h-11 w-full rounded-xl border border-field bg-surface px-3 py-2 leading-[1.6]";

export const panelClass = "rounded-xl bg-tint px-4 py-3 text-md/[1.7] forced-colors:border";

/** The class of the words of a deadline. An old debt has no warning colour. */
export function dueClass({ lit, isOld }: Pick<Due, "lit" | "isOld">): string {
  return isOld ? "text-muted" : lit === 0 ? "font-bold text-danger" : "text-saffron-text";
}

/** A panel above the list. */
export const noticeClass = `${panelClass} mx-3 my-2 print:hidden`;

/** The name in the pane. It takes the focus without a ring, because it cannot be pressed. */
export const titleClass = "text-3xl font-bold wrap-anywhere outline-0";
