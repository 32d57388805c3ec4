/** On the server a mark for entry.server.tsx; the browser reads the text from the page. */
export const styles = import.meta.env.SSR
  ? "/*styles*/"
  : (document.querySelector("style")?.textContent ?? "");
