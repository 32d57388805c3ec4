import board from "#app/routes/admin/admin.css?url";
import home from "#app/routes/home/home.css?inline";
import site from "#app/site.css?inline";

/** The sheets that are written into their pages, so that a page is one request. */
export const inlined = { home, site };
/** The board's is a file: its owner comes back all day, and the browser keeps it. */
export const boardFile = board;
export type Sheet = keyof typeof inlined | "board";

/** The name of the one style sheet that the page of a path has, with only its own rules. */
export function sheetOf(path: string): Sheet {
  if (path === "/") {
    return "home";
  }
  return /^\/admin(\/|$)/.test(path) ? "board" : "site";
}

/**
 * The text of a style sheet, for the server. The browser needs no copy: React keeps the element, and
 * a page with another sheet is loaded as a document (root.tsx).
 */
export const textOf = (sheet: keyof typeof inlined): string =>
  import.meta.env.SSR ? inlined[sheet] : "";
