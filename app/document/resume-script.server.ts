/**
 * Runs the start-up script that hold-scripts.server.ts put aside, once, when the visitor first uses
 * a form. Until then, and if scripts never load, the browser itself sends forms and follows links.
 * It is the text of an inline script.
 */
export const resumeScript = `(()=>{let h=document.getElementById("held"),on=["focusin","pointerdown","pointerover"],go=e=>{if(!e.target.closest("form"))return;on.forEach(t=>removeEventListener(t,go,true));let s=document.createElement("script");s.type="module";s.textContent=h.textContent;document.head.append(s)};on.forEach(t=>addEventListener(t,go,true))})()`;
