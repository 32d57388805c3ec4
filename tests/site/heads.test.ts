import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { owner } from "#app/content/owner.ts";
import { pages } from "#tests/support/routes.ts";
import { root } from "#tests/support/spawn-server.ts";
import { useSite } from "#tests/support/use-site.ts";
import { Visitor, ask, signedUp } from "#tests/support/visitor.ts";

const site = useSite();

test("the service worker is an uncached script with the whole site as its scope", async () => {
  const [got, head] = await Promise.all([ask(site, "GET", "/sw.js"), ask(site, "HEAD", "/sw.js")]);
  for (const { status, headers } of [got, head]) {
    expect({ status, ...headers }).toMatchObject({
      status: 200,
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "no-cache",
      "content-security-policy": "default-src 'none'; connect-src 'self'; img-src 'self'",
      "x-content-type-options": "nosniff",
    });
    expect(headers["set-cookie"]).toBeUndefined();
  }
  expect(got.text).toBe(await readFile(join(root, "app/server/home-screen/worker.js"), "utf8"));
  expect(got.text).not.toMatch(/caches|"fetch"|import/);
  expect(head.text).toBe("");
});

test("the manifest opens the board, in Arabic, and describes its icons correctly", async () => {
  const { status, headers, text } = await ask(site, "GET", "/manifest.webmanifest");
  expect([status, headers["content-type"]]).toEqual([200, "application/manifest+json"]);
  const manifest = JSON.parse(text);
  expect(manifest).toMatchObject({
    id: "/admin",
    start_url: "/admin",
    display: "standalone",
    lang: "ar",
    dir: "rtl",
    name: `رسائل ${owner.name}`,
  });
  const css = await readFile(join(root, "app/app.css"), "utf8");
  expect(css).toContain(`--brand: ${manifest.theme_color};`);
  expect(css).toContain(`--ground: ${manifest.background_color};`);
  const sizes: string[] = [];
  for (const { src, sizes: size, type, purpose } of manifest.icons) {
    const icon = await fetch(`${site.url}${src}`);
    expect([src, icon.headers.get("content-type")]).toEqual([src, type]);
    const bytes = Buffer.from(await icon.arrayBuffer());
    // The header of a PNG file: width and height.
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(size);
    expect(bytes.length).toBeLessThan(10_000);
    sizes.push(`${size} ${purpose}`);
  }
  expect(sizes).toEqual(["192x192 any", "512x512 any", "512x512 maskable"]);
});

test("only pages of an account link the manifest, and no page names the service worker", async () => {
  const account = await signedUp(site);
  const link = /<head>.*<link rel="manifest" href="\/manifest\.webmanifest"\/>.*<\/head>/s;
  for (const { path } of pages) {
    const { status, text } = await account.get(path);
    const isOwn = /^\/(admin|account)(?!\/documents)/.test(path) && status !== 302;
    expect([path, link.test(text)]).toEqual([path, isOwn]);
    const strange = await new Visitor(site).get(path);
    expect([path, link.test(strange.text)]).toEqual([path, false]);
    expect(text + strange.text).not.toContain('"/sw.js"');
  }
});
