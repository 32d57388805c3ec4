import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { ask } from "#tests/support/visitor.ts";

let site: RunningSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.stop());

const send = (origin: string) =>
  ask(site, "POST", "/", {
    headers: {
      Host: new URL(origin).host,
      Origin: origin,
      "Content-Type": "application/x-www-form-urlencoded",
      "X-Forwarded-For": "192.0.2.1",
    },
    body: "name=&email=&message=",
  });
const warnings = () => site.output().match(/Visitors open the site at .*/g) ?? [];

test("a form that came from another https address than SITE_URL warns once, with both", async () => {
  expect((await send(site.url)).status).toBe(400);
  expect((await send("http://shop.example")).status).toBe(400);
  expect(warnings()).toEqual([]);
  for (const origin of ["https://shop.example", "https://shop.example", "https://b.example"]) {
    expect((await send(origin)).status).toBe(400);
  }
  await expect
    .poll(warnings)
    .toEqual([expect.stringContaining(`at https://shop.example, but SITE_URL is ${site.url}: `)]);
});
