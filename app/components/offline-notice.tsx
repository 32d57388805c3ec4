/** Replaces the browser's error page while offline, also before the framework's scripts load. */
const script = `(()=>{let t,d=document,show=on=>{d.getElementById("offline").hidden=!on},keep=(e,own)=>{if(navigator.onLine&&!(own&&d.documentElement.hasAttribute("data-away")))return;e.preventDefault();show(!0);clearTimeout(t);t=setTimeout(show,1e4)};addEventListener("click",e=>{show();let a=e.target.closest("a[href^='/'],a[href^=http]");a&&!e.ctrlKey&&!e.metaKey&&!e.shiftKey&&keep(e,a.origin==origin)},!0);addEventListener("submit",e=>e.defaultPrevented||keep(e,!0))})()`;

const text =
  "لا يصل جهازك إلى الموقع الآن. بقيت الصفحة كما هي، وما كتبته محفوظ فيها. أعد المحاولة حين يعود الاتصال.";

const className = "rise rounded-xl border border-danger bg-danger-tint p-4 text-danger raised";

// The browser reads it back from the page, so that it is not sent again in a script.
const html = import.meta.env.SSR
  ? `<p id="offline" role="alert" hidden class="${className}">${text}</p><script>${script}</script>`
  : (document.getElementById("offline")?.parentElement?.innerHTML ?? "");

export function OfflineNotice() {
  return (
    <div className="contents" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html }} />
  );
}
