import { once } from "node:events";
import { createServer, request as ask } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pages } from "#tests/support/routes.ts";
import { useClaimedSite } from "#tests/support/use-site.ts";
import { type Answer, signedUp, Visitor } from "#tests/support/visitor.ts";

const { site } = useClaimedSite();

/** Cloudflare's "Email Address Obfuscation": addresses come back by a script, which the policy stops. */
const obfuscated = (html: string) =>
  html
    .replaceAll(/href="mailto:[^"]*"/g, 'href="/cdn-cgi/l/email-protection#00"')
    .replaceAll(/>[^<@]{0,500}@[^<]*</g, '><a class="__cf_email__">[email protected]</a><');

const isHtml = (type = "") => type.startsWith("text/html");

/** Rewrites pages, unless they say no-transform (RFC 9111, 5.2.2.6). */
const proxy = createServer((incoming, outgoing) => {
  const { method, url: path, headers } = incoming;
  incoming.pipe(
    ask(site.url, { method, path, headers }, async (answer) => {
      const body = await text(answer);
      const { "content-type": type, "cache-control": caching = "" } = answer.headers;
      const mayChange = isHtml(type) && !caching.includes("no-transform");
      const sent = Buffer.from(mayChange ? obfuscated(body) : body);
      const own = { ...answer.headers, "content-length": String(sent.length) };
      delete own["transfer-encoding"];
      outgoing.writeHead(answer.statusCode ?? 502, own).end(sent);
    }),
  );
});
const through = { url: "" };
beforeAll(async () => {
  await once(proxy.listen(0, "localhost"), "listening");
  through.url = `http://localhost:${(proxy.address() as AddressInfo).port}`;
});
afterAll(() => void proxy.close());

test("a CDN that hides addresses changes no page of the site", async () => {
  const account = await signedUp(through, undefined, site.url);
  const { email } = account.credentials;
  const visitor = new Visitor(through, site.url);
  const answers: [string, Answer][] = [];
  for (const { path, session } of pages) {
    answers.push([path, await (session === "needed" ? account : visitor).get(path)]);
  }
  const typed = { name: "", email, message: "" };
  answers.push(["/ with mistakes", await visitor.post("/", typed)]);
  answers.push(["/auth with mistakes", await visitor.post("/auth", { email, password: "wrong1" })]);
  const shown = answers.filter(([, { headers }]) => isHtml(headers["content-type"]));
  for (const [path, { text: html }] of shown) {
    expect([path, /cdn-cgi|__cf_email__/.exec(html)]).toEqual([path, null]);
  }
  // These are the addresses that it would change.
  const withAddress = shown.filter(([, { text: html }]) => obfuscated(html) !== html);
  expect(withAddress.map(([path]) => path)).toEqual(
    expect.arrayContaining(["/", "/account", "/ with mistakes"]),
  );
});
