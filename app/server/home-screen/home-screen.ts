import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Hono } from "hono";
import { owner } from "#app/content/owner.ts";

// Made once by Chromium from public/icon.svg, one without the round corners: phones cut their own.
const icons = [
  { src: "/icon-192.png", sizes: "192x192", type: "image/png", purpose: "any" },
  { src: "/icon-512.png", sizes: "512x512", type: "image/png", purpose: "any" },
  { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
];

const manifest = JSON.stringify({
  id: "/admin",
  start_url: "/admin",
  scope: "/",
  display: "standalone",
  name: `رسائل ${owner.name}`,
  short_name: "رسائلي",
  lang: "ar",
  dir: "rtl",
  // As app.css has them by day.
  theme_color: "#0b6a57",
  background_color: "#edf2ef",
  icons,
});

const worker = readFileSync(join(import.meta.dirname, "worker.js"), "utf8");

/** Serves what makes the inbox an app of the home screen, and what shows its notices. */
export function homeScreen(): Hono {
  return new Hono()
    .get("/manifest.webmanifest", (c) =>
      c.body(manifest, 200, {
        "Content-Type": "application/manifest+json",
        "Cache-Control": "public, max-age=3600",
      }),
    )
    .get("/sw.js", (c) =>
      c.body(worker, 200, {
        "Content-Type": "text/javascript; charset=utf-8",
        "Cache-Control": "no-cache",
        "Content-Security-Policy": "default-src 'none'; connect-src 'self'; img-src 'self'",
      }),
    );
}
