import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { freePort, startSite } from "#tests/support/site.ts";
import { useHostedSite } from "#tests/support/use-hosted-site.ts";
import { newCredentials, signedUp, Visitor } from "#tests/support/visitor.ts";

// What is set wrong, or away, beside a hosted Supabase: the log names it, and no session ends by it.
const { gateway, env, site } = useHostedSite();

async function start(more: Record<string, string>) {
  const other = await startSite({ ...env, ...more });
  onTestFinished(() => other.stop());
  return other;
}

/** The health, as another machine is told. */
const healthOf = async ({ url }: { url: string }) => {
  const health = await fetch(`${url}/healthz`, { headers: { "X-Forwarded-For": "192.0.2.1" } });
  return [health.status, await health.json()];
};
const up = { process: "ok", database: "ok", authentication: "ok", live: "ok" };
const away = { process: "ok", database: "away", authentication: "away", live: "away" };

test.each([
  [401, { message: "Invalid API key", hint: "Double check your API key." }],
  [403, {}],
  [404, { error: "requested path is invalid" }],
])("a gateway that refuses the site's key with %i ends no session", async (status, body) => {
  const visitor = await signedUp(site);
  const session = visitor.cookies.get("session");
  gateway.setRequests(() => ({ status, body }));
  for (const path of ["/account", "/admin"]) {
    expect([path, (await visitor.get(path)).status]).toEqual([path, 503]);
  }
  const signIn = await new Visitor(site).post("/auth", visitor.credentials);
  expect([signIn.status, signIn.text.includes("تعذّر إتمام الطلب")]).toEqual([503, true]);
  // It asks once a second at most.
  await expect.poll(() => healthOf(site)).toEqual([503, { ...away, live: "ok" }]);
  expect(visitor.cookies.get("session")).toBe(session);
  const refused = `refuses the site with ${status}, and not as Supabase's services do: check SUPABASE_URL and SUPABASE_SECRET_KEY`;
  expect(site.linesWith(refused)).toEqual([expect.stringContaining(" error ")]);

  gateway.setRequests(() => "pass");
  expect((await visitor.get("/admin")).status).toBe(200);
  await expect.poll(() => healthOf(site)).toEqual([200, up]);
});

test("a secret key that was deleted is named", async () => {
  const old = await start({ SUPABASE_SECRET_KEY: "sb_secret_deleted" });
  expect(await healthOf(old)).toEqual([503, away]);
  expect((await new Visitor(old).post("/auth", newCredentials())).status).toBe(503);
  expect(old.output()).toContain("check SUPABASE_URL and SUPABASE_SECRET_KEY");
});

test("the cause of a Supabase that is not reached is logged once a minute", async () => {
  const closed = `http://127.0.0.1:${await freePort()}`;
  // TLS to a server without it.
  const noTls = gateway.url.replace("http:", "https:");
  for (const [url, cause] of [
    [closed, "ECONNREFUSED"],
    ["https://nowhere.invalid", /ENOTFOUND|EAI_AGAIN/],
    [noTls, /ERR_SSL|EPROTO/],
  ] as const) {
    const lost = await start({ SUPABASE_URL: url });
    expect(await healthOf(lost)).toEqual([503, away]);
    const sent = { name: "ن", email: "a@example.com", message: "نص", t_extra: "" };
    expect((await new Visitor(lost).post("/", sent)).status).toBe(503);
    expect(lost.linesWith("error The Supabase at SUPABASE_URL does not answer")).toEqual([
      expect.stringMatching(cause),
    ]);
    expect(lost.output()).not.toContain("fetch failed");
  }
});

const page: RequestListener = (_request, response) => {
  response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>OK</h1>");
};
const json: RequestListener = (_request, response) => {
  response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
};
const nothing: RequestListener = (_request, response) => {
  response.writeHead(404, { "Content-Type": "text/html" }).end("<h1>Not Found</h1>");
};

test.each([
  ["a page", page, "is no Supabase with this site's tables"],
  ["JSON", json, "is no Supabase with this site's tables"],
  ["404", nothing, "refuses the site with 404, and not as Supabase's services do"],
])("a web server that answers everything with %s is no Supabase", async (_what, answer, said) => {
  const other = createServer(answer).listen(0, "127.0.0.1");
  await once(other, "listening");
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const lost = await start({ SUPABASE_URL: `http://127.0.0.1:${port}` });
  expect(await healthOf(lost)).toEqual([503, away]);
  await expect.poll(() => lost.output()).toContain(`What answers at SUPABASE_URL ${said}`);
});
