import { expect, test } from "vitest";
import { useSite } from "#tests/support/use-site.ts";
import { ask, signedUp, Visitor } from "#tests/support/visitor.ts";

// What document/react-router-internals.server.ts relies on, on the pages as they are sent. Wrapped
// actions are shown by refusals.test.ts.
const secret = "words of the database";
const fault = `
  create or replace function public.my_sessions()
  returns table (
    id uuid, created_at timestamptz, last_used_at timestamptz, user_agent text, is_current boolean,
    total bigint
  ) language plpgsql as $$ begin raise exception '${secret}'; end $$;`;
const site = useSite({}, fault);

const started = /<script data-start="at-once" type="module"[^>]*>[^]*?import\("\/assets\/entry/;
const held = /<script type="text\/held" id="held">[^]*?import\("\/assets\/entry/;
const scriptsOf = (text: string) => [
  started.test(text),
  held.test(text),
  text.includes('rel="modulepreload"'),
];

test("a page is painted without the scripts, which stay for the first use of a form", async () => {
  for (const path of ["/", "/auth", "/?next=rendered"]) {
    expect([path, scriptsOf((await ask(site, "GET", path)).text)]).toEqual([
      path,
      [false, true, false],
    ]);
  }
});

test("scripts start at once for a live page and for a toast", async () => {
  const visitor = await signedUp(site);
  expect(scriptsOf((await visitor.get("/admin")).text)).toEqual([true, false, false]);
  await visitor.post("/sign-out");
  expect(scriptsOf((await visitor.get("/")).text)).toEqual([true, false, false]);
  expect(scriptsOf((await visitor.get("/")).text)).toEqual([false, true, false]);
});

test("an error page at a form's address has no scripts", async () => {
  const headers = { Origin: "https://other.example" };
  const { status, text } = await new Visitor(site).post("/", { message: "رسالة" }, headers);
  expect([status, text.includes("رسالة"), text.includes("/assets/entry")]).toEqual([
    403,
    true,
    false,
  ]);
});

test("an action's refusal names the wait, and a limit counts pages and their data as one", async () => {
  const visitor = new Visitor(site);
  const form = { email: "nobody@example.com", password: "wrong password" };
  const paths = Array.from({ length: 12 }, (_, round) => (round % 2 ? "/auth.data" : "/auth"));
  const answers = [];
  for (const path of paths) {
    answers.push(await visitor.post(path, form));
  }
  const limited = answers.findIndex(({ status }) => status === 429);
  expect(limited).toBeGreaterThan(0);
  const document = answers.find(({ status }, index) => status === 429 && paths[index] === "/auth");
  expect(Number(document?.headers["retry-after"])).toBeGreaterThan(0);
});

test("a failed page shows the text of the site's own error", async () => {
  const visitor = await signedUp(site);
  const { status, text } = await visitor.get("/account");
  expect(status).toBe(503);
  expect(text).toContain("Unexpected Application Error!");
  expect(text).not.toMatch(/\.[jt]sx?:\d|node_modules/);
  const data = await visitor.get("/account.data");
  for (const told of [text, data.text, site.output()]) {
    expect(told).toContain("The sessions were not read");
    expect(told).not.toContain(secret);
  }
});
