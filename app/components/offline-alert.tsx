/** Replaces the browser's error page while offline, also before the framework's scripts load. */
const script = `(()=>{let t,d=document,show=on=>{d.getElementById("offline").hidden=!on},keep=(e,own)=>{if(navigator.onLine&&!(own&&d.documentElement.hasAttribute("data-away")))return;e.preventDefault();show(!0);clearTimeout(t);t=setTimeout(show,1e4)};addEventListener("click",e=>{show();let a=e.target.closest("a[href^='/'],a[href^=http]");a&&!e.ctrlKey&&!e.metaKey&&!e.shiftKey&&keep(e,a.origin==origin)},!0);addEventListener("submit",e=>e.defaultPrevented||keep(e,!0))})()`;

/** React renders it once and leaves `hidden` to the script. */
export function OfflineAlert() {
  return (
    <>
      <p
        id="offline"
        role="alert"
        hidden
        suppressHydrationWarning
        className="rise rounded-xl border border-danger bg-danger-tint p-4 text-danger raised"
      >
        لا يصل جهازك إلى الموقع الآن. بقيت الصفحة كما هي، وما كتبته محفوظ فيها. أعد المحاولة حين يعود
        الاتصال.
      </p>
      <script dangerouslySetInnerHTML={{ __html: script }} />
    </>
  );
}
