/**
 * What the server relies on and React Router does not document (decision 029). Its version is exact;
 * tests/site/router-internals.test.ts fails if one of these changes.
 */

// One after the other, in the head.
const modulePreloads = /(<link rel="modulepreload"[^>]*>)+/;
// Of `<Scripts>`: what the start-up script reads comes first.
const firstScript = '<script data-start="at-use">';
const heldScript = /<script data-start="at-use" type="module"[^>]*>([\s\S]*?)<\/script>/;

/** Runs the held start-up script when the visitor first uses a form, or what opens more. */
const resumeScript = `(()=>{let c=new AbortController,go=e=>{if(!e.target.closest("form,details,[popovertarget]"))return;c.abort();let s=document.createElement("script");s.type="module";s.textContent=held.textContent;document.head.append(s)};for(let t of["focusin","pointerdown","pointerover"])addEventListener(t,go,{capture:true,signal:c.signal})})()`;

/**
 * A page without the preloads: slow connections would paint only after 100 kB of script (1.76 s, not
 * 1.09). A start-up script that `Layout` marked `at-use` is left as inert text, which runs at the first
 * use. What waits for that is no script of its own, whose hash in the policy is 54 bytes.
 */
export function holdScripts(html: string): string {
  return html
    .replace(modulePreloads, "")
    .replace(firstScript, `<script>${resumeScript};`)
    .replace(heldScript, '<script type="text/held" id="held">$1</script>');
}
