import { createHash } from "node:crypto";

const style =
  "body{max-width:30rem;margin:20vh auto;padding:0 1rem;font:1.125rem/1.7 system-ui,sans-serif}";
const hash = createHash("sha256").update(style).digest("base64");

const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><style>${style}</style>`;

const title = "الموقع مشغول الآن";
const text = "لم يستطع الموقع أن يجيبك في هذه اللحظة. أعد المحاولة بعد ثوانٍ.";

/** What a visitor sees while the site has no time to render a page, with status 503. */
export const busyPage = {
  html: `<!doctype html><html lang="ar" dir="rtl">${head}<title>${title}</title><h1>${title}</h1><p>${text}</p><p><a href="">أعد المحاولة</a></p></html>`,
  headers: {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'`,
    "Cache-Control": "no-store, no-transform",
    "Retry-After": "2",
  },
};
