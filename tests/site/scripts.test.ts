import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { pages } from "#tests/support/routes.ts";
import { useSite } from "#tests/support/use-site.ts";
import { type Answer, ask, newCredentials, signedUp, Visitor } from "#tests/support/visitor.ts";

const fault = `
  create or replace function public.my_sessions()
  returns table (
    id uuid, created_at timestamptz, last_used_at timestamptz, user_agent text, is_current boolean,
    total bigint
  ) language plpgsql as $$ begin raise exception 'a fault made for a test'; end $$;`;
const site = useSite({}, fault);

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
  "a failed page": async () => (await signedUp(site)).get("/account"),
};

test.each(Object.entries(plain))("%s has no script, and going back shows it", async (_, open) => {
  const answer = await open();
  expect(answer.headers["content-type"]).toContain("html");
  expect(scriptsIn(answer)).toEqual([]);
  expect(policyOf(answer)).toBe("'none'");
  expect(answer.headers["cache-control"]).toBe("private, no-cache");
});

test("a receipt has no script, and stays in no cache", async () => {
  const answer = await ask(site, "GET", "/receipt?t=x");
  expect(scriptsIn(answer)).toEqual([]);
  expect(answer.headers["cache-control"]).toBe("private, no-store");
});

test("an unknown path has the one script that logs it", async () => {
  for (const path of ["/no/such/page", "/refused"]) {
    const answer = await ask(site, "GET", path);
    expect(scriptsIn(answer)).toEqual([`<script>${logScript}</script>`]);
    expect(policyOf(answer)).toBe(logSource);
  }
});

test("the page of a site that cannot answer loads itself again", async () => {
  const answer = await (await signedUp(site)).get("/account");
  expect(answer.status).toBe(503);
  expect(answer.text).toContain('<meta http-equiv="refresh" content="5"/>');
  expect((await ask(site, "GET", "/no/such/page")).text).not.toContain('"refresh"');
});

test("every other page has scripts, each with the nonce of its response", async () => {
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
      const [, nonce = ""] = /^'self' 'nonce-([\w-]{22})'$/.exec(policyOf(answer) ?? "") ?? [];
      const scripts = scriptsIn(answer);
      expect([path, scripts.filter((script) => !script.includes(`nonce="${nonce}"`))]).toEqual([
        path,
        [],
      ]);
      expect(scripts.some((script) => script.includes('import("/assets/entry.client'))).toBe(true);
      expect(answer.headers["cache-control"]).toBe("private, no-store");
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
