import { Script } from "node:vm";

/** The call that no page may make. */
export const mark = "xssmark";
export const scripts = [
  `<script>${mark}()</script>`,
  `"><img src=x onerror=${mark}()>`,
  `'><svg onload=${mark}()>`,
  `</title><script>${mark}()</script>`,
  `</textarea><script>${mark}()</script>`,
  `</style><script>${mark}()</script>`,
  `</script><script>${mark}()</script>`,
  `--><script>${mark}()</script>`,
  `javascript:${mark}()`,
  `" autofocus onfocus=${mark}() x="`,
  "\u2028</script\u2029>",
  `{{constructor.constructor('${mark}()')()}}`,
  `&lt;script&gt;${mark}()&lt;/script&gt;`,
  `\\u003cscript\\u003e${mark}()`,
];

/** Where a page would run the mark: as an element, an attribute's code, or an address. */
export function injections(html: string): string[] {
  const found: string[] = [];
  // Text inside of tags, outside of quoted values, is where an attribute could begin.
  for (const [tag] of html.matchAll(/<[a-z!/](?:"[^"]*"|'[^']*'|[^"'>])*>/gi)) {
    if (tag.replace(/"[^"]*"|'[^']*'/g, "").includes(mark)) {
      found.push(tag);
    }
    if (/(href|src|action|formaction)\s*=\s*["']?\s*javascript:/i.test(tag)) {
      found.push(tag);
    }
  }
  for (const [, code = ""] of html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/gi)) {
    // In the page's data it may stand, inside of a string that cannot end the element.
    if (code.includes(mark) && !(code.includes("streamController.enqueue") && isWhole(code))) {
      found.push(code);
    }
    if (/<\/?script|<!--/i.test(code)) {
      found.push(code);
    }
  }
  return found;
}

/** A string that ended its script element early leaves a program that does not parse. */
function isWhole(code: string): boolean {
  try {
    return Boolean(new Script(code));
  } catch {
    return false;
  }
}
