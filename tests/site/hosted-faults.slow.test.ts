import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { cookieOf, openTab } from "#tests/support/live.ts";
import { freePort, startSite } from "#tests/support/site.ts";
import { useHostedSite } from "#tests/support/use-hosted-site.ts";
import { newCredentials, signedUp, Visitor } from "#tests/support/visitor.ts";

// What is set wrong beside a hosted Supabase, or does not answer: the log names it, and no session ends by it.
const { gateway, env, site, signedInFor } = useHostedSite();

async function start(more: Record<string, string> = {}) {
  const other = await startSite({ ...env, ...more });
  onTestFinished(() => other.stop());
  return other;
}

/** What the health check answers to another machine. */
const healthOf = async ({ url }: { url: string }) => {
  const health = await fetch(`${url}/healthz`, { headers: { "X-Forwarded-For": "192.0.2.1" } });
  return [health.status, await health.json()];
};
const up = { process: "ok", database: "ok", authentication: "ok", live: "ok" };
const down = { process: "ok", database: "down", authentication: "down", live: "down" };

test("a wrong publishable key is named at the start and by the health check", async () => {
  const wrong = await start({ SUPABASE_PUBLISHABLE_KEY: "sb_publishable_of_another_project" });
  await expect
    .poll(() => wrong.output())
    .toContain("check SUPABASE_URL and SUPABASE_PUBLISHABLE_KEY");
  expect(await healthOf(wrong)).toEqual([503, { ...up, authentication: "down" }]);
});

test("the keys of tokens are read once for the first page after a sign-in", async () => {
  let times = 0;
  gateway.setRequests((path) => {
    times += Number(path.includes("/.well-known/jwks.json"));
    return "pass";
  });
  const fresh = await start();
  const visitor = await signedUp(fresh);
  await visitor.get("/auth?signed-in");
  expect(times).toBe(1);
});

test("a gateway that refuses the site's key is named, a visitor's call by its status alone", async () => {
  const body = { message: "Invalid API key", hint: "Double check your API key." };
  gateway.setRequests(() => ({ status: 401, body }));
  await new Visitor(site).post("/auth", newCredentials());
  for (const answer of ["401", `401 ${JSON.stringify(body)}`]) {
    const refused = `The server at SUPABASE_URL answers ${answer}: check SUPABASE_URL and SUPABASE_SECRET_KEY`;
    await expect
      .poll(async () => [await healthOf(site), site.linesWith(refused)])
      .toEqual([[503, { ...down, live: "ok" }], [expect.stringContaining(" error ")]]);
  }
});

test("a database that lacks a function of the site is named with the command that brings it", async () => {
  const body = { code: "PGRST202", message: "Could not find the function" };
  gateway.setRequests((path) => (path.startsWith("/rest/") ? { status: 404, body } : "pass"));
  await expect.poll(() => healthOf(site)).toEqual([503, { ...up, database: "down" }]);
  expect(site.output()).toMatch(/older than this site: run npx supabase@\S+ db push/);
});

test("a Supabase that is not reached, or is another web server, is named once a minute", async () => {
  const port = await freePort();
  const lost = await start({ SUPABASE_URL: `http://127.0.0.1:${port}` });
  expect(await healthOf(lost)).toEqual([503, down]);
  const sent = { name: "ن", email: "a@example.com", message: "نص", t_extra: "" };
  expect((await new Visitor(lost).post("/", sent)).status).toBe(503);
  expect(lost.linesWith("error The server at SUPABASE_URL does not answer")).toEqual([
    expect.stringContaining("ECONNREFUSED"),
  ]);
  const page = "<h1>\u001b[2J</h1>\n<p>second line</p>";
  const other = createServer((_request, response) => response.end(page)).listen(port, "127.0.0.1");
  await once(other, "listening");
  onTestFinished(() => void other.close());
  await expect
    .poll(async () => [await healthOf(lost), lost.output()])
    .toEqual([
      [503, down],
      expect.stringContaining("SUPABASE_URL answers 200 <h1>\ufffd[2J</h1>: check SUPABASE_URL"),
    ]);
});

const isRefresh = (path: string) => path.includes("grant_type=refresh_token");

test("while no session can be renewed a visitor can sign out, and a refused refresh ends the session", async () => {
  gateway.setRequests((path) => (isRefresh(path) ? 429 : "pass"));
  const leaving = await signedInFor(-60);
  expect((await leaving.post("/sign-out")).status).toBe(302);
  expect(leaving.cookies.has("session")).toBe(false);

  gateway.setRequests((path) => (isRefresh(path) ? 400 : "pass"));
  const refused = await signedInFor(-60);
  expect((await refused.get("/admin")).headers.location).toContain("/auth");
  expect(refused.cookies.has("session")).toBe(false);
});

test("a note of a session that cannot be checked is shown again", async () => {
  const visitor = await signedUp(site);
  const session = visitor.cookies.get("session");
  // This site has not read the keys yet.
  await site.restart("SIGTERM");
  gateway.setRequests((path) => (path.includes("/auth/v1/") ? 500 : "pass"));
  const path = "/admin?box=waiting";
  const form = { id: randomUUID(), note: "نصها" };
  const refused = await visitor.post(path, form);
  expect(refused.status).toBe(503);
  expect(refused.text).toContain("لم يُحفظ ما كتبته لأن الموقع لم يستطع التحقق من جلستك");
  expect(refused.text).toContain(">نصها</textarea>");
  expect(refused.text).not.toContain('href="/auth');
  expect(visitor.cookies.get("session")).toBe(session);

  gateway.setRequests(() => "pass");
  expect((await visitor.post(path, form)).status).toBe(403);
});

test("beside a database that comes after the start all of the site works, without a restart", async () => {
  const loading = {
    code: "PGRST002",
    message: "Could not query the database for the schema cache",
  };
  gateway.setRequests((path) =>
    path.startsWith("/rest/") ? { status: 503, body: loading } : { status: 502, body: {} },
  );
  gateway.setSockets("refuse");
  const early = await start();
  expect(await healthOf(early)).toEqual([503, down]);
  const visitor = new Visitor(early);
  expect((await visitor.get("/")).status).toBe(200);
  const text = { name: "ن", email: "a@example.com", message: "نص مبكر", t_extra: "" };
  const refused = await visitor.post("/", text);
  expect([refused.status, refused.text.includes(text.message)]).toEqual([503, true]);

  const autoconfirm = { status: 200, body: { mailer_autoconfirm: true } };
  gateway.setRequests((path) => (path === "/auth/v1/settings" ? autoconfirm : "pass"));
  gateway.setSockets("pass");
  // Each look at its health asks again. It subscribes to Realtime after a pause.
  await expect.poll(() => healthOf(early), { timeout: 40_000 }).toEqual([200, up]);
  await expect.poll(() => early.output()).toContain("does not confirm addresses");
  const reader = await signedUp(early);
  expect((await reader.get("/account")).text).not.toContain("لم تؤكّد هذا العنوان بعد");
  const { frames, socket, status } = openTab(early, {
    cookie: cookieOf(reader),
    address: newAddress(),
  });
  expect(await status).toBe(101);
  expect((await visitor.post("/", text)).status).toBe(302);
  await expect.poll(() => frames.filter((frame) => frame.includes(text.message))).toHaveLength(1);
  socket.close();
});
