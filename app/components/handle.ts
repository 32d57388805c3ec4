/**
 * When a page's scripts start: with the page, at the first use of a form (`at-use`, the default), or
 * never, on a page that works by links and forms alone.
 */
export type StartOfScripts = "at-once" | "at-use" | "never";

/** A route's `handle`, which `Layout` in root.tsx reads. */
export interface Handle {
  scripts: StartOfScripts;
}
