import { hash } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { calls } from "#app/supabase-calls.ts";
import { pages } from "#tests/support/routes.ts";
import { without } from "#tests/support/superuser.ts";
import { useSite } from "#tests/support/use-site.ts";
import { type Answer, ask, newCredentials, signedUp, Visitor } from "#tests/support/visitor.ts";

const site = useSite();
let asset: string;
beforeAll(async () => {
  const html = await (await fetch(`${site.url}/auth`)).text();
  asset = /\/assets\/[\w.-]+\.js/.exec(html)?.[0] ?? "";
});

/** Sends a GET with these headers and no others; fetch would add or change some. */
async function get(path: string, headers: Record<string, string>, method = "GET") {
  const asked = request(`${site.url}${path}`, { method, headers, agent: false }).end();
  const [answer]: IncomingMessage[] = await once(asked, "response");
  if (answer === undefined) {
    throw new Error("There was no answer.");
  }
  const body = Buffer.concat(await answer.toArray());
  return { status: answer.statusCode, headers: answer.headers, body };
}

test("a picture of the content is kept forever at an address of its content's", async () => {
  const html = await (await fetch(`${site.url}/`)).text();
  const sources = new Set(html.match(/\/pictures\/[\w-]+\.webp/g));
  expect(sources.size).toBe(3);
  for (const source of sources) {
    const { status, headers, body } = await get(source, {});
    expect([status, headers["content-type"]]).toEqual([200, "image/webp"]);
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    const digest = hash("sha256", body, "base64url").slice(0, 16);
    expect(source).toBe(`/pictures/${digest}.webp`);
  }
  expect((await get("/pictures/other.webp", {})).status).toBe(404);
});

test("the page's first picture is asked for before its styles have arrived", async () => {
  const html = await (await fetch(`${site.url}/`)).text();
  const [first] = /(?<=<img src=")\/pictures\/[^"]+/.exec(html) ?? [];
  const [beforeStyles] = html.split("<style");
  expect(beforeStyles).toContain(`<link rel="preload" as="image" href="${first}"/>`);
});

test.each([
  ["br, gzip", "br"],
  ["identity", undefined],
])("a file is compressed as Accept-Encoding %s allows", async (accepted, coding) => {
  const { headers, body } = await get(asset, { "Accept-Encoding": accepted });
  expect(headers["content-encoding"]).toBe(coding);
  expect(headers["content-length"]).toBe(String(body.length));
  expect(headers["content-type"]).toMatch(/^text\/javascript/);
  expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect(headers.vary).toBe(coding && "Accept-Encoding");
});

test("the contact page that has not changed is a 304", async () => {
  const { headers } = await get("/", {});
  const { etag = "" } = headers;
  for (const tag of [etag, etag.replace("W/", ""), `"other", ${etag}`, "*"]) {
    const again = await get("/", { "If-None-Match": tag });
    expect([tag, again.status]).toEqual([tag, 304]);
    for (const name of ["etag", "cache-control", "vary"]) {
      expect(again.headers[name]).toBe(headers[name]);
    }
  }
  expect((await get("/", { "If-None-Match": '"other"' })).status).toBe(200);
});

test.each([
  ["/favicon.ico", "image/x-icon", "00000100"],
  ["/apple-touch-icon.png", "image/png", "89504e47"],
])("%s, which browsers request by themselves, exists", async (path, type, signature) => {
  const { status, headers, body } = await get(path, {});
  expect([status, headers["content-type"]]).toEqual([200, type]);
  expect(body.subarray(0, 4).toString("hex")).toBe(signature);
});

test("only GET and HEAD return a file", async () => {
  const head = await get("/icon.svg", {}, "HEAD");
  expect([head.status, head.body.length]).toEqual([200, 0]);
  const form = { Origin: site.url, "Content-Type": "application/x-www-form-urlencoded" };
  for (const path of ["/icon.svg", "/nowhere"]) {
    const { status, body } = await get(path, form, "POST");
    expect([status, String(body).includes("Oops! Page not found")]).toEqual([404, true]);
  }
});

const supabasePaths = [
  ...calls.map(({ path }) => path.replace(":id", crypto.randomUUID())),
  "/auth/v1/settings",
  "/rest/v1/contact_messages?select=*",
  "/storage/v1/object/list/works",
  "/functions/v1/hello",
];

test("a path of Supabase is unknown like any other, and none reaches the embedded part", async () => {
  // As a page of another site asks.
  const headers = { Origin: "https://other.example", apikey: "sb_publishable_embedded" };
  for (const method of ["GET", "POST", "OPTIONS"]) {
    const unknown = await get("/no/such/v1/path", headers, method);
    for (const path of supabasePaths) {
      const { status, headers: answered } = await get(path, headers, method);
      const shown = [answered["content-type"], answered["access-control-allow-origin"]];
      expect([path, status, ...shown]).toEqual([
        path,
        unknown.status,
        unknown.headers["content-type"],
        undefined,
      ]);
    }
  }
  const socket = new WebSocket(`${site.url.replace("http", "ws")}/realtime/v1/websocket?apikey=x`);
  await expect(once(socket, "open")).rejects.toBeInstanceOf(Error);
  expect(site.output()).not.toMatch(/not on the list|"?(rest|auth): /);
});

test("an upgrade to another protocol is ignored", async () => {
  const headers = { Connection: "Upgrade, HTTP2-Settings", Upgrade: "h2c", "HTTP2-Settings": "" };
  expect((await get("/", headers)).status).toBe(200);
});

test.each([
  ["/auth/", "/auth"],
  ["/auth//?mode=sign-up", "/auth?mode=sign-up"],
  ["/no/such/", "/no/such"],
])("%s leads to the path without a slash at its end", async (path, exact) => {
  for (const method of ["GET", "POST"]) {
    const form = { Origin: site.url, "Content-Type": "application/x-www-form-urlencoded" };
    const { status, headers } = await get(path, form, method);
    expect([method, status, headers.location]).toEqual([method, 308, exact]);
  }
});

const paths = "/ADMIN //admin /admin%2F /% /%E0%A4%A // //evil.tld/";

test.each(paths.split(" "))("%s, another spelling of a path, is unknown", async (path) => {
  const { status, body } = await get(path, {});
  expect([status, String(body).includes("Oops! Page not found")]).toEqual([404, true]);
});

const tagOf = async (path: string) => (await ask(site, "GET", path)).headers.etag;

test("the contact page is sent from memory whatever a link adds, but for a receipt", async () => {
  const tag = await tagOf("/");
  expect(tag).toBeDefined();
  for (const path of ["/?utm_source=mail&utm_campaign=%D8%B9", "/?", "/?a&a=1&=&%zz"]) {
    expect([path, await tagOf(path)]).toEqual([path, tag]);
  }
  for (const path of ["/?sent", "/?utm_source=x&sent=x", "/auth"]) {
    expect([path, await tagOf(path)]).toEqual([path, undefined]);
    expect((await ask(site, "GET", path)).status).toBe(200);
  }
});

test("on localhost no header and no cookie asks for HTTPS", async () => {
  const { headers } = await new Visitor(site).post("/auth?mode=sign-up", newCredentials());
  expect(headers["strict-transport-security"]).toBeUndefined();
  expect(headers["set-cookie"]?.join("\n")).toMatch(/^session=/m);
  expect(headers["set-cookie"]?.join("\n")).not.toMatch(/Secure|__Host-/i);
});

/** The cookie of the visit that a response begins, undefined if it begins none. */
async function visitOf(path: string, cookie = ""): Promise<string | undefined> {
  const { headers } = await fetch(site.url + path, { headers: { Cookie: cookie } });
  return headers
    .getSetCookie()
    .find((header) => header.startsWith("visit="))
    ?.split(";")[0];
}

// The first page is prerendered, the others are rendered. The last URL is for scripts.
test.each(["/", "/?utm_source=x", "/?sent=x", "/_.data"])(
  "%s begins a visit, and another tab continues it",
  async (path) => {
    const visit = await visitOf(path);
    expect(visit).toBeDefined();
    expect(await visitOf(path, visit)).toBeUndefined();
    expect(await visitOf(path, `${visit}x`)).toBeDefined();
  },
);

test.each(["/auth", "/auth?mode=sign-up", "/nowhere", "//"])("%s begins no visit", async (path) => {
  expect(await visitOf(path)).toBeUndefined();
});

const foreign = { Origin: "https://other.example" };
const logScript = `console.error("404: no page at",location.pathname)`;
const logSource = `'sha256-${hash("sha256", logScript, "base64")}'`;

/** Scripts, and what loads them, without the data of search engines. */
const scriptsIn = ({ text }: Answer) =>
  [
    ...text.matchAll(
      /<script(?! type="application\/ld\+json").*?<\/script>|<link[^>]*modulepreload[^>]*>/gs,
    ),
  ].map(([script]) => script);
const policyOf = ({ headers }: Answer) =>
  /script-src ([^;]*);/.exec(String(headers["content-security-policy"]))?.[1];

const plain: Record<string, () => Promise<Answer>> = {
  "the contact page, ready": () => ask(site, "GET", "/"),
  "the contact page, rendered": () => ask(site, "GET", "/?next=rendered"),
  "its thanks": () => ask(site, "GET", "/?sent"),
  "its notice after a sign-out": async () => {
    const visitor = await signedUp(site);
    await visitor.post("/sign-out");
    return visitor.get("/");
  },
  "a form with mistakes": () => new Visitor(site).post("/", { name: "" }),
  "a refused form": () => new Visitor(site).post("/", { message: "رسالة" }, foreign),
  "a refused form of a page with scripts": () => new Visitor(site).post("/auth", {}, foreign),
  "the privacy page": () => ask(site, "GET", "/privacy"),
  "a failed page": async () => {
    const visitor = await signedUp(site);
    return without(site, "my_sessions", () => visitor.get("/account"));
  },
};

test.each(Object.entries(plain))("%s has no script, and going back shows it", async (_, open) => {
  const answer = await open();
  expect(answer.headers["content-type"]).toContain("html");
  expect(scriptsIn(answer)).toEqual([]);
  expect(policyOf(answer)).toBe("'none'");
  expect(answer.headers["cache-control"]).toBe("private, no-cache, no-transform");
});

test("a receipt has no script, and stays in no cache", async () => {
  const answer = await ask(site, "GET", "/receipt?t=x");
  expect(scriptsIn(answer)).toEqual([]);
  expect(answer.headers["cache-control"]).toBe("private, no-store, no-transform");
});

test("an unknown path has the one script that logs it", async () => {
  for (const path of ["/no/such/page", "/refused"]) {
    const answer = await ask(site, "GET", path);
    expect(scriptsIn(answer)).toEqual([`<script>${logScript}</script>`]);
    expect(policyOf(answer)).toBe(logSource);
  }
});

test("every other page has scripts, each with the nonce of its response, after the styles", async () => {
  const account = await signedUp(site);
  const visitor = new Visitor(site);
  const scripted = pages.filter(({ path }) => /^\/(auth|admin|account)\b(?!.documents)/.test(path));
  let seen = 0;
  for (const { path, session } of scripted) {
    const asker = session === "needed" ? account : visitor;
    const answers = [await asker.get(path), await asker.get(path)];
    if (answers.some(({ status }) => status !== 200)) {
      continue;
    }
    seen += 1;
    const nonces = answers.map((answer) => {
      const [first = ""] = answer.text.split(/<link[^>]*rel="stylesheet"/);
      expect([path, first.length < answer.text.length, /preload/.test(first)]).toEqual([
        path,
        true,
        false,
      ]);
      const [, nonce = ""] = /^'self' 'nonce-([\w-]{22})'$/.exec(policyOf(answer) ?? "") ?? [];
      const scripts = scriptsIn(answer);
      expect([path, scripts.filter((script) => !script.includes(`nonce="${nonce}"`))]).toEqual([
        path,
        [],
      ]);
      expect(scripts.some((script) => script.includes('import("/assets/entry.client'))).toBe(true);
      expect(answer.headers["cache-control"]).toBe("private, no-store, no-transform");
      return nonce;
    });
    expect(new Set(nonces).size).toBe(2);
  }
  expect(seen).toBeGreaterThan(8);
});

test("what leads to a page without scripts has them load a document", async () => {
  const account = newCredentials();
  const visitor = await signedUp(site, account);
  const leave = await visitor.post("/sign-out");
  const enter = await new Visitor(site).post("/auth?next=/privacy", account);
  for (const { headers } of [leave, enter]) {
    expect(headers["x-remix-reload-document"]).toBe("true");
  }
});
