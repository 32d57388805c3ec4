import { resumeScript } from "./resume-script.server.ts";

const modulePreloads = /<link rel="modulepreload"[^>]*>/g;
const moduleScript = /<script type="module"[^>]*>([\s\S]*?)<\/script>/;

/** Removes the preloads: slow connections would paint only after 100 kB of script (1.76 s, not 1.09). */
export function paintFirst(html: string): string {
  return html.replace(modulePreloads, "");
}

/** Leaves the start-up script as inert text, with its hash, for resume-script.server.ts. */
export function holdScripts(html: string): string {
  return html.replace(
    moduleScript,
    (_, code: string) =>
      `<script type="text/held" id="held">${code}</script><script>${resumeScript}</script>`,
  );
}

/** For a page that is shown at another page's address: scripts would load that one in its place. */
export const dropScripts = (html: string): string => html.replace(moduleScript, "");
