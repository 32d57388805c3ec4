import css from "./app.css?inline";

/**
 * The site's style sheet as text, for the page's own <style>: one response is the whole
 * page. The browser reads it back from the page, so that it is not sent again in a script.
 */
export const styles = import.meta.env.SSR
  ? css
  : (document.querySelector("style")?.textContent ?? "");
