import { expect, test } from "vitest";
import { startOutside } from "#tests/support/outside.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { useSite } from "#tests/support/use-site.ts";
import { ask, Visitor } from "#tests/support/visitor.ts";

const plain = useSite();

const linesWith = (site: RunningSite, text: string) =>
  site
    .output()
    .split("\n")
    .filter((line) => line.includes(text));

const leave = (visitor: Visitor, index: number) =>
  visitor.post("/", { name: "ن", email: "a@example.com", message: `رسالة ${index}` });

test("a trusted proxy that names no visitor is logged once, and a health check is not", async () => {
  await ask(plain, "GET", "/healthz");
  await ask(plain, "GET", "/nowhere", { headers: { "X-Forwarded-For": "203.0.113.9" } });
  expect(linesWith(plain, "X-Forwarded-For")).toEqual([]);
  for (let round = 0; round < 3; round += 1) {
    await ask(plain, "GET", "/nowhere");
  }
  const lines = linesWith(plain, "X-Forwarded-For");
  expect(lines).toEqual([expect.stringContaining("A proxy of TRUSTED_PROXIES sends no X-Forw")]);
});

test("a form that came from another https address than SITE_URL warns once, with both", async () => {
  const send = async (origin: string) => {
    const headers = {
      Host: new URL(origin).host,
      Origin: origin,
      "Content-Type": "application/x-www-form-urlencoded",
      "X-Forwarded-For": "192.0.2.1",
    };
    const { status } = await ask(plain, "POST", "/", { headers, body: "name=&email=&message=" });
    expect(status).toBe(400);
  };
  const warnings = () => plain.output().match(/Visitors open the site at .*/g) ?? [];
  await send(plain.url);
  await send("http://shop.example");
  expect(warnings()).toEqual([]);
  for (const origin of ["https://shop.example", "https://shop.example", "https://b.example"]) {
    await send(origin);
  }
  await expect
    .poll(warnings)
    .toEqual([expect.stringContaining(`at https://shop.example, but SITE_URL is ${plain.url}: `)]);
});

test("an outside Supabase counts visitors, and a secret that it does not know is logged at the start", async () => {
  const { supabase, env } = await startOutside();
  const wrong = await startSite({
    ...env,
    SITE_SECRET: "another secret of 32 characters or more",
  });
  await expect.poll(() => wrong.output()).toContain("SITE_SECRET does not count at SUPABASE_URL");
  const right = await startSite(env);
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
  expect(right.output()).not.toContain("SUPABASE_URL");
  await supabase.close();
  await right.restart("SIGTERM");
  await expect.poll(() => right.output()).toContain("does not answer");
  await Promise.all([wrong.stop(), right.stop()]);
});
