import { Script } from "node:vm";

/** A function name that no page may call. */
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

/** Returns the elements, attributes and addresses of a page that would call the mark. */
export function injections(html: string): string[] {
  const found: string[] = [];
  // Outside quoted values, text in a tag could start an attribute.
  for (const [tag] of html.matchAll(/<[a-z!/](?:"[^"]*"|'[^']*'|[^"'>])*>/gi)) {
    if (tag.replace(/"[^"]*"|'[^']*'/g, "").includes(mark)) {
      found.push(tag);
    }
    if (/(href|src|action|formaction)\s*=\s*["']?\s*javascript:/i.test(tag)) {
      found.push(tag);
    }
  }
  for (const [, code = ""] of html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/gi)) {
    // The page's data may contain it in a string that cannot end the element.
    if (code.includes(mark) && !(code.includes("streamController.enqueue") && isWhole(code))) {
      found.push(code);
    }
    if (/<\/?script|<!--/i.test(code)) {
      found.push(code);
    }
  }
  return found;
}

/** Whether a script parses. It does not if a string in it has ended the element early. */
function isWhole(code: string): boolean {
  try {
    return Boolean(new Script(code));
  } catch {
    return false;
  }
}
