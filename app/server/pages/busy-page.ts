import { createHash } from "node:crypto";

const style =
  "body{max-width:30rem;margin:20vh auto;padding:0 1rem;font:1.125rem/1.7 system-ui,sans-serif}";
const hash = createHash("sha256").update(style).digest("base64");

const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><style>${style}</style>`;

/** What a visitor sees while the site has no time to render a page. */
export const busyPage = {
  html: `<!doctype html><html lang="ar" dir="rtl">${head}<title>الموقع مشغول الآن</title><h1>الموقع مشغول الآن</h1><p>لم يستطع الموقع أن يجيبك في هذه اللحظة. أعد المحاولة بعد ثوانٍ.</p><p><a href="">أعد المحاولة</a></p></html>`,
  headers: {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'`,
    "Cache-Control": "no-store",
    "Retry-After": "2",
  },
};
