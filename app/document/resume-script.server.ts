/**
 * Runs the start-up script that hold-scripts.server.ts put aside, once, when the visitor first
 * means to use a form. Until then, and if it never comes, forms and links are the browser's
 * own, so nothing typed or clicked is lost.
 * It is source text: it stands in the page, and in its Content-Security-Policy by hash.
 */
export const resumeScript = `(()=>{let h=document.getElementById("held"),on=["focusin","pointerdown","pointerover"],go=e=>{if(!e.target.closest("form"))return;on.forEach(t=>removeEventListener(t,go,true));let s=document.createElement("script");s.type="module";s.textContent=h.textContent;document.head.append(s)};on.forEach(t=>addEventListener(t,go,true))})()`;
