import type { Handle } from "#app/components/handle.ts";

export { links } from "./styles.ts";

/** The pages that scripts make nicer. */
export const handle: Handle = { scripts: true };
