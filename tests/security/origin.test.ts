import { hash } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { actions, pages } from "#tests/support/routes.ts";
import { useOwnSite } from "#tests/support/use-site.ts";
import { type Answer, Visitor, ask, signedUp } from "#tests/support/visitor.ts";

/** Behind a proxy that ends https. */
const own = "https://site.example";
const site = useOwnSite({ SITE_URL: own });
let account: Awaited<ReturnType<typeof signedUp>>;
beforeAll(async () => {
  account = await signedUp(site, undefined, own);
});

const common = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "strict-origin-when-cross-origin",
  "permissions-policy": expect.stringContaining("camera=()"),
  "cross-origin-opener-policy": "same-origin",
  "content-security-policy": expect.stringMatching(
    /^(?!.*unsafe)default-src 'none';.*frame-ancestors 'none'/,
  ),
};

function expectedOf({ headers }: Pick<Answer, "headers">) {
  const shown = Object.fromEntries(Object.keys(common).map((name) => [name, headers[name]]));
  return { ...shown, hsts: headers["strict-transport-security"] };
}
const expected = { ...common, hsts: "max-age=63072000" };

const answers: Record<string, () => Promise<Pick<Answer, "headers">>> = {
  "a ready page": () => new Visitor(site).get("/"),
  "a ready page that has not changed": async () => {
    const { headers } = await new Visitor(site).get("/");
    return new Visitor(site).get("/", { "If-None-Match": headers.etag ?? "" });
  },
  "HEAD of a page": () => ask(site, "HEAD", "/"),
  "a rendered page": () => new Visitor(site).get("/?sent=x"),
  "the inbox": () => account.get("/admin"),
  "the account": () => account.get("/account"),
  "data of a page": () => account.get("/admin.data"),
  "a page that is not found": () => new Visitor(site).get("/no/such/page"),
  "a redirect": () => new Visitor(site).get("/admin"),
  "a redirect of an action": async () => (await signedUp(site, undefined, own)).post("/sign-out"),
  "a sign-in": () => new Visitor(site, own).post("/auth", account.credentials),
  "a form with mistakes": () => new Visitor(site, own).post("/", { name: "" }),
  "a sign-in with mistakes": () => new Visitor(site, own).post("/auth", { email: "x" }),
  "a form that nobody takes": () => new Visitor(site, own).post("/no/such/page"),
  "a file": () => ask(site, "GET", "/icon.svg"),
  "a file that is not found": () => ask(site, "GET", "/assets/none.js"),
  "the health check": () => ask(site, "GET", "/healthz"),
  "a refused origin": () => ask(site, "POST", "/", { headers: { Origin: "https://evil.example" } }),
  "a form that is too large": () =>
    new Visitor(site, own).post("/", { message: "x".repeat(600_000) }),
  "a form without an end": () =>
    ask(site, "POST", "/", {
      headers: {
        Origin: own,
        "Content-Type": "application/x-www-form-urlencoded",
      },
      body: [Buffer.from("a=b")],
    }),
  "a form of another type": () =>
    new Visitor(site, own).post("/auth", {}, { "Content-Type": "text/plain" }),
  "a broken target": () => ask(site, "OPTIONS", "*"),
  "a broken host": () => ask(site, "GET", "/admin", { headers: { Host: "a b" } }),
  "a method that is none of ours": () => ask(site, "PROPFIND", "/", { headers: { Origin: own } }),
};

const uncached = new Set([
  "the inbox",
  "the account",
  "data of a page",
  "a redirect",
  "a redirect of an action",
  "a sign-in",
  "a sign-in with mistakes",
]);

test.each(Object.keys(answers))("the headers of %s are complete", async (name) => {
  const answer = await answers[name]?.();
  expect(answer && expectedOf(answer)).toEqual(expected);
  expect(answer?.headers["x-powered-by"]).toBeUndefined();
  expect(answer?.headers["server"]).toBeUndefined();
  const isStored = !answer?.headers["cache-control"]?.startsWith("private, no-store");
  expect(isStored && uncached.has(name)).toBe(false);
});

test("the headers of the contact page allow private caches only", async () => {
  const { headers } = await ask(site, "GET", "/");
  expect(headers["cache-control"]).toBe("private, no-cache, no-transform");
  expect(headers.vary).toMatch(/Cookie/);
});

test("the headers of pages name each inline script and style, and nothing else is inline", async () => {
  const visitor = new Visitor(site, own);
  const texts: [string, Answer][] = [["form", await visitor.post("/", { name: "x" })]];
  for (const { path, session } of pages) {
    texts.push([path, await (session === "needed" ? account : visitor).get(path)]);
  }
  for (const path of ["/no/such/page", "/?sent=x"]) {
    texts.push([path, await visitor.get(path)]);
  }
  const html = texts.filter(([, { headers }]) => headers["content-type"]?.includes("html"));
  expect(html.length).toBeGreaterThan(20);
  for (const [path, { text, headers }] of html) {
    expect(headers["content-security-policy"]).toContain("connect-src 'self';");
    expect([path, inlineFaults(text, headers["content-security-policy"] as string)]).toEqual([
      path,
      [],
    ]);
  }
});

test("the headers of cookies tie them to this site and hide them from scripts", async () => {
  const visitor = new Visitor(site, own);
  const cookies = [
    ...((await visitor.get("/")).headers["set-cookie"] ?? []),
    ...((await visitor.get("/?sent=x")).headers["set-cookie"] ?? []),
    ...((await visitor.post("/auth", account.credentials)).headers["set-cookie"] ?? []),
    ...((await visitor.get("/admin")).headers["set-cookie"] ?? []),
    ...((await visitor.post("/sign-out")).headers["set-cookie"] ?? []),
    ...((await visitor.post("/auth/forgot", { email: "a@example.com" })).headers["set-cookie"] ??
      []),
  ];
  const names = new Set(cookies.map((cookie) => cookie.split("=")[0]?.replace("__Host-", "")));
  expect(names).toEqual(new Set([...names, "visit", "session", "toast", "mailed"]));
  for (const cookie of cookies) {
    expect(cookie).toMatch(/; HttpOnly/i);
    expect(cookie).toMatch(/; SameSite=Lax/i);
    expect(cookie).toMatch(/; Path=\/(;|$)/i);
    expect(cookie).not.toMatch(/; Domain=/i);
    const [, days = 0] = /; Max-Age=(\d+)/i.exec(cookie) ?? [];
    expect(Number(days) / 86_400).toBeLessThanOrEqual(30);
    expect(cookie).toMatch(/^__Host-.*; Secure/i);
  }
});

function post(
  { path, form }: (typeof actions)[number],
  from: Record<string, string>,
  session = account.cookieHeader(),
) {
  return ask(site, "POST", path, {
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      "X-Forwarded-For": newAddress(),
      ...(session && { Cookie: session }),
      ...from,
    },
    body: new URLSearchParams(form).toString(),
  });
}

const foreign: Record<string, string>[] = [
  { Origin: "https://evil.example" },
  { Origin: "null" },
  { Origin: "" },
  { Origin: `${own}.evil.example` },
  { Origin: `https://x-${new URL(own).host}` },
  { Origin: new URL(own).host },
  { Origin: `${own}:1` },
  { Origin: own.replace("https:", "http:") },
  { Referer: "https://evil.example/page" },
  { Referer: "" },
  { Referer: `${own}.evil.example/page` },
  { "Sec-Fetch-Site": "cross-site" },
  { "Sec-Fetch-Site": "cross-site", Origin: own },
  { "Sec-Fetch-Site": "none", Referer: `${own}/page` },
  { "Sec-Fetch-Site": "same-site", Origin: "null" },
  { "Sec-Fetch-Site": "none", Origin: "https://evil.example" },
  { "X-Forwarded-Host": "evil.example", Origin: "https://evil.example" },
  { "X-Forwarded-Host": new URL(own).host, Origin: "https://evil.example" },
  // Here the host matters only with HTTPS.
  { Host: "127.0.0.1:3000", Origin: "http://127.0.0.1:3000" },
];
/** Of old browsers, and behind proxies that take headers away. */
const silent: Record<string, string>[] = [{}, { Referer: `${own}/page` }];

test.each(actions)("another site cannot post to $path", async (action) => {
  const many = action.path === "/" ? foreign : [...foreign, ...silent];
  // The function that decides about it only looks at "/".
  for (const from of ["/", "/auth"].includes(action.path) ? many : silent) {
    const answer = await post(action, from);
    expect([from, answer.status]).toEqual([from, 403]);
    expect(answer.text).toContain("لأنه أُرسل من صفحة لها عنوان آخر");
    expect(answer.headers["set-cookie"]).toBeUndefined();
  }
});

test("another site cannot send PUT, PATCH or DELETE", async () => {
  const methods = ["PUT", "PATCH", "DELETE"];
  for (const [place, { path }] of actions.entries()) {
    const headers = { Cookie: account.cookieHeader(), Origin: "https://evil.example" };
    const method = methods[place % methods.length] ?? "";
    expect((await ask(site, method, path, { headers, body: "" })).status).toBe(403);
  }
});

test("another site cannot sign anybody out or change anything with a link", async () => {
  for (const path of ["/sign-out", "/admin/claim", "/sign-out?_method=POST"]) {
    await account.get(path, { "Sec-Fetch-Site": "cross-site" });
    expect((await account.get("/admin")).text).toContain("اجعل الصندوق لي وحدي");
  }
});

test.each(actions)("the site's own form to $path is none of another site", async (action) => {
  // Older browsers send Origin alone. With Sec-Fetch-Site the host name may be another of the site's.
  const froms: Record<string, string>[] = [
    { Origin: own },
    { "Sec-Fetch-Site": "same-origin", Origin: "https://www.site.example" },
    { Host: "www.site.example", Origin: "https://www.site.example" },
    ...silent,
  ];
  for (const from of action === actions[0] ? froms : froms.slice(0, 1)) {
    const answer = await post(action, from, "");
    expect(answer.text).not.toContain("لأنه أُرسل من صفحة لها عنوان آخر");
    expect(answer.status).toBeLessThan(500);
  }
});

/** Inline code that the page's policy does not allow, and inline attributes, which it cannot. */
function inlineFaults(html: string, policy: string): string[] {
  const allowed = (directive: string) =>
    policy.split("; ").find((part) => part.startsWith(`${directive} `)) ?? "";
  const unnamed = (pattern: RegExp, directive: string) =>
    Array.from(html.matchAll(pattern), ([element, code = ""]) => {
      const [, nonce] = /^[^>]* nonce="([^"]*)"/.exec(element) ?? [];
      const source = nonce ? `nonce-${nonce}` : `sha256-${hash("sha256", code, "base64")}`;
      return allowed(directive).includes(`'${source}'`) ? "" : `${directive}: ${code.slice(0, 60)}`;
    }).filter(Boolean);
  const attributes = html
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/g, "")
    .match(/<[^>]*\s(?:on[a-z]+|style)\s*=[^>]*>|(?:href|src|action)\s*=\s*["']?\s*javascript:/gi);
  return [
    ...unnamed(
      /<script(?! type="application\/ld\+json")(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g,
      "script-src",
    ),
    ...unnamed(/<style[^>]*>([\s\S]*?)<\/style>/g, "style-src"),
    ...(attributes ?? []),
    ...(allowed("script-src") === "" ? ["no script-src"] : []),
  ];
}
