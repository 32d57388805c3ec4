/** The pages that are only HTML. */
export { links } from "#app/components/site-styles.ts";
