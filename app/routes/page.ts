/** The pages that are only HTML. */
export { links } from "./styles.ts";
