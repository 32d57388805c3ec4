import { resumeScript } from "./resume-script.ts";

const modulePreloads = /<link rel="modulepreload"[^>]*>/g;
const moduleScript = /<script type="module"[^>]*>([\s\S]*?)<\/script>/;

/**
 * Takes the framework's scripts out of a rendered page's way: nothing is loaded until the
 * visitor's first intent (see resume-script.ts). The start-up script stays in the page as
 * inert text, so its hash can stand in the Content-Security-Policy.
 */
export function holdScripts(html: string): string {
  return html
    .replace(modulePreloads, "")
    .replace(
      moduleScript,
      (_, code: string) =>
        `<script type="text/held" id="held">${code}</script><script>${resumeScript}</script>`,
    );
}
