/**
 * The text of the page's own <style>, which holds the whole style sheet: one response is the
 * page. On the server it only marks the place, where entry.server.tsx puts the sheet; the
 * browser reads it back from the page, so that it is not sent again in a script.
 */
export const styles = import.meta.env.SSR
  ? "/*styles*/"
  : (document.querySelector("style")?.textContent ?? "");
