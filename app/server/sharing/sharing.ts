import { Hono } from "hono";
import { owner } from "#app/content/owner.ts";
import { vcardOf } from "./vcard.ts";

/** Serves what other programs read: the owner's vCard, and what search engines ask for. */
export function sharing({ origin, href }: URL, publicPaths: string[]): Hono {
  const vcard = vcardOf(owner, href);
  const pages = publicPaths.map((path) => `<url><loc>${new URL(path, origin).href}</loc></url>`);
  const sitemap = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...pages,
    "</urlset>\n",
  ].join("\n");
  const robots = `User-agent: *\nDisallow: /admin\nSitemap: ${origin}/sitemap.xml\n`;
  const cached = { "Cache-Control": "public, max-age=3600" };
  return new Hono()
    .get("/contact.vcf", (c) =>
      c.body(vcard, 200, {
        ...cached,
        "Content-Type": "text/vcard; charset=utf-8",
        // Inline, a phone offers to store the contact without a download.
        "Content-Disposition": 'inline; filename="contact.vcf"',
      }),
    )
    .get("/sitemap.xml", (c) =>
      c.body(sitemap, 200, { ...cached, "Content-Type": "application/xml" }),
    )
    .get("/robots.txt", (c) => c.text(robots, 200, cached));
}
