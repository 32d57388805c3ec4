import admin from "#app/routes/admin/admin.css?inline";
import home from "#app/routes/home/home.css?inline";
import site from "#app/site.css?inline";

export const sheets = { admin, home, site };
export type Sheet = keyof typeof sheets;

/** The name of the one style sheet that the page of a path has, with only its own rules. */
export function sheetOf(path: string): Sheet {
  if (path === "/") {
    return "home";
  }
  return /^\/admin(\/|$)/.test(path) ? "admin" : "site";
}

/**
 * The text of a style sheet, for the server. The browser needs no copy: React keeps the element, and
 * a page with another sheet is loaded as a document (root.tsx).
 */
export const textOf = (sheet: Sheet): string => (import.meta.env.SSR ? sheets[sheet] : "");
