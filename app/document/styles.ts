/**
 * The text of the page's <style>: the whole style sheet is in the page. On the server it only marks
 * the place for entry.server.tsx. The browser reads it from the page, so that no script has it too.
 */
export const styles = import.meta.env.SSR
  ? "/*styles*/"
  : (document.querySelector("style")?.textContent ?? "");
