import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Hono } from "hono";
import { brand } from "#app/content/brand.server.ts";
import { owner } from "#app/content/owner.ts";

// The letter of public/icon.svg in the star of the cover, rendered by Chromium. The maskable one has square corners: phones round them.
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
  theme_color: brand.light.brand,
  background_color: brand.light.ground,
  icons,
});

const worker = readFileSync(join(import.meta.dirname, "worker.js"), "utf8");

/** Serves the web app manifest and the service worker, which shows push notifications. */
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
