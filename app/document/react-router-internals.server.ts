/**
 * What the server relies on and React Router does not document (decision 029). Its version is exact;
 * tests/site/router-internals.test.ts fails if one of these changes.
 */

// One after the other, in the head.
const modulePreloads = /(<link rel="modulepreload"[^>]*>)+/;
const heldScript = /<script data-start="at-use" type="module"[^>]*>([\s\S]*?)<\/script>/;

/** Runs the held start-up script when the visitor first uses a form, or what opens more. */
const resumeScript = `(()=>{let h=document.getElementById("held"),on=["focusin","pointerdown","pointerover"],go=e=>{if(!e.target.closest("form,details,[popovertarget]"))return;on.forEach(t=>removeEventListener(t,go,true));let s=document.createElement("script");s.type="module";s.textContent=h.textContent;document.head.append(s)};on.forEach(t=>addEventListener(t,go,true))})()`;

const end = "</body></html>";

/**
 * A page with the script at its end, and without the preloads: slow connections would paint only after
 * 100 kB of script (1.76 s, not 1.09).
 */
export function finish(html: string, script: string): string {
  const open = html.slice(0, -end.length).replace(modulePreloads, "");
  return `<!DOCTYPE html>${open}${script}${end}`;
}

/**
 * Returns a page and the script at its end, which hands the page's data to its other scripts; an empty
 * one for a page without scripts. A start-up script that `Layout` marked `at-use` is left as inert
 * text, which the script at the end runs at the first use.
 *
 * React Router's own component suspends until it has the data: React would have to write a stream of
 * bytes, and a board of 50 messages would take 4 ms longer.
 */
export function startScripts(html: string, data: string): [page: string, script: string] {
  if (!html.includes("<script data-start=")) {
    return [html, ""];
  }
  const controller = "window.__reactRouterContext.streamController";
  const text = JSON.stringify(data).replaceAll("<", "\\u003c");
  const hand = `${controller}.enqueue(${text});${controller}.close()`;
  const page = html.replace(
    heldScript,
    (_, code: string) => `<script type="text/held" id="held">${code}</script>`,
  );
  return [page, `<script>${page === html ? hand : `${hand};${resumeScript}`}</script>`];
}
