import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadKeys } from "#embedded/keys.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";

let site: RunningSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.stop());

describe.each([
  "/storage/v1/object/list/works",
  "/storage/v1",
  "/functions/v1/hello",
  "/graphql/v1",
  "/realtime/v1/api/broadcast",
  "/auth/v1/unknown",
  "/auth/v1",
])("%s returns the API's error for an unknown path", (path) => {
  test.each(["GET", "POST", "DELETE"])("%s", async (method) => {
    const answer = await fetch(site.url + path, {
      method,
      headers: { Origin: "https://other.example" },
      ...(method === "POST" && { body: "{}" }),
    });
    expect(answer.status).toBe(404);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(await answer.json()).toEqual({ message: "Not found" });
  });

  test("a preflight", async () => {
    const answer = await fetch(site.url + path, {
      method: "OPTIONS",
      headers: {
        Origin: "https://other.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,apikey",
      },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("access-control-allow-headers")).toBe("authorization,apikey");
  });
});

test("the official client reports that error", async () => {
  const { publishableKey } = await loadKeys(site.dataDir);
  const client = createClient(site.url, publishableKey);
  const { error: stored } = await client.storage.from("works").list();
  expect(stored?.message).toBe("Not found");
  const { error: invoked } = await client.functions.invoke("hello");
  expect(invoked?.context.status).toBe(404);
});
