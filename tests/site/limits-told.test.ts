import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startOutside } from "#tests/support/outside.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { ask, Visitor } from "#tests/support/visitor.ts";

const linesWith = (site: RunningSite, text: string) =>
  site
    .output()
    .split("\n")
    .filter((line) => line.includes(text));

const leave = (visitor: Visitor, index: number) =>
  visitor.post("/", { name: "ن", email: "a@example.com", message: `رسالة ${index}` });

test("an untrusted proxy is logged once, with the setting that trusts it", async () => {
  const site = await startSite({ TRUSTED_PROXIES: "" });
  for (let round = 0; round < 3; round += 1) {
    await ask(site, "GET", "/nowhere", { headers: { "X-Forwarded-For": "203.0.113.9" } });
  }
  const lines = linesWith(site, "X-Forwarded-For");
  await site.stop();
  expect(lines).toEqual([expect.stringMatching(/ warn .*set TRUSTED_PROXIES=loopback$/)]);
  expect(lines[0]).not.toContain("203.0.113.9");
});

test("a trusted proxy that names no visitor is logged once, and a health check is not", async () => {
  const site = await startSite();
  await ask(site, "GET", "/healthz");
  await ask(site, "GET", "/nowhere", { headers: { "X-Forwarded-For": "203.0.113.9" } });
  expect(linesWith(site, "X-Forwarded-For")).toEqual([]);
  for (let round = 0; round < 3; round += 1) {
    await ask(site, "GET", "/nowhere");
  }
  const lines = linesWith(site, "X-Forwarded-For");
  await site.stop();
  expect(lines).toEqual([expect.stringContaining("A proxy of TRUSTED_PROXIES sends no X-Forw")]);
});

test("an outside Supabase counts visitors, and a secret that it does not know is logged at the start", async () => {
  const { supabase, env } = await startOutside();
  const wrong = await startSite({
    ...env,
    SITE_SECRET: "another secret of 32 characters or more",
  });
  await expect.poll(() => wrong.output()).toContain("SITE_SECRET does not count at SUPABASE_URL");
  const right = await startSite(env);
  await sleep(500);
  expect(right.output()).not.toMatch(/ (warn|error) /);
  expect(await (await fetch(`${right.url}/healthz`)).json()).toEqual({
    process: "ok",
    database: "ok",
    authentication: "ok",
  });
  // The database counts visitors' addresses, not the site's.
  const one = new Visitor(right);
  for (let index = 0; index < 11; index += 1) {
    expect((await leave(new Visitor(right), index)).status).toBe(302);
    expect((await leave(one, 20 + index)).status).toBe(index < 10 ? 302 : 429);
  }
  await supabase.close();
  await right.restart("SIGTERM");
  await expect.poll(() => right.output()).toContain("does not answer");
  await Promise.all([wrong.stop(), right.stop()]);
}, 120_000);
