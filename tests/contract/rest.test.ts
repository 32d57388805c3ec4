import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Keys, loadKeys } from "#embedded/keys.ts";
import { signAccessToken } from "#embedded/tokens.ts";
import { startTestServer, type TestServer } from "#tests/support/embedded-server.ts";

const migrationsDir = new URL("../support/rest/migrations", import.meta.url).pathname;
const aliceId = "11111111-1111-4111-8111-111111111111";
const bobId = "22222222-2222-4222-8222-222222222222";

let server: TestServer;
let keys: Keys;

beforeAll(async () => {
  server = await startTestServer({ migrationsDir });
  keys = await loadKeys(server.dataDir);
});
afterAll(() => server.close());

function client(key = server.publishableKey, token?: string) {
  return createClient(server.url, key, {
    auth: { persistSession: false },
    ...(token && { accessToken: async () => token }),
  });
}

async function userClient(sub: string) {
  const exp = Math.floor(Date.now() / 1000) + 600;
  const token = await signAccessToken(keys, { sub, role: "authenticated", aal: "aal1", exp });
  return client(server.publishableKey, token);
}

function ask(path: string, init: RequestInit = {}) {
  return fetch(`${server.url}${path}`, {
    ...init,
    headers: { apikey: server.publishableKey, ...init.headers },
  });
}

describe("a foreign project's tables", () => {
  test("give an account only its own rows, through every kind of request", async () => {
    const alice = await userClient(aliceId);
    const bob = await userClient(bobId);
    const inserted = await alice.from("notes").insert({ body: "mine" }).select().single();
    expect(inserted.status).toBe(201);
    expect(inserted.data).toMatchObject({ owner: aliceId, body: "mine" });
    const id = inserted.data?.id;
    expect((await bob.from("notes").select()).data).toEqual([]);
    expect((await bob.from("notes").update({ body: "his" }).eq("id", id).select()).data).toEqual(
      [],
    );
    expect((await bob.from("notes").delete().eq("id", id).select()).data).toEqual([]);
    expect((await alice.from("notes").update({ body: "new" }).eq("id", id).select()).data).toEqual([
      { id, owner: aliceId, body: "new" },
    ]);
    expect((await alice.from("notes").delete().eq("id", id)).status).toBe(204);
    expect((await alice.from("notes").select()).data).toEqual([]);
  });

  test("refuse what a policy or a missing privilege forbids, as PostgREST does", async () => {
    const bob = await userClient(bobId);
    const forged = await bob.from("notes").insert({ owner: aliceId, body: "forged" });
    expect(forged).toMatchObject({ status: 403, error: { code: "42501" } });
    expect(await client().from("notes").insert({ owner: aliceId, body: "x" })).toMatchObject({
      status: 401,
      error: { code: "42501" },
    });
    expect(await client().from("locked").select()).toMatchObject({
      status: 401,
      error: { code: "42501", message: "permission denied for table locked" },
    });
    expect(await bob.from("locked").select()).toMatchObject({ status: 403 });
    expect(await client().from("missing").select()).toMatchObject({
      status: 404,
      error: { code: "PGRST205" },
    });
  });

  test("are open to the secret key, which bypasses row level security", async () => {
    const service = client(server.secretKey);
    expect((await service.from("locked").select()).data).toEqual([{ id: 1 }]);
    const made = await service.from("notes").insert({ owner: bobId, body: "by service" }).select();
    expect(made.data).toHaveLength(1);
    expect((await service.from("notes").delete().eq("owner", bobId).select()).data).toHaveLength(1);
  });

  test("return 400 and the code of a violated constraint", async () => {
    const alice = await userClient(aliceId);
    const long = await alice.from("notes").insert({ body: "x".repeat(200) });
    expect(long).toMatchObject({ status: 400, error: { code: "23514" } });
  });
});

describe("functions", () => {
  test("see role, claims and the real address of the caller", async () => {
    const alice = await userClient(aliceId);
    expect((await alice.rpc("who")).data).toMatchObject({
      user: "authenticated",
      uid: aliceId,
      role: "authenticated",
      jwt: { sub: aliceId, aal: "aal1" },
      address: "127.0.0.1",
    });
    expect((await client().rpc("who")).data).toMatchObject({ user: "anon", uid: null });
  });

  test("accept no address from the client and show no key or token", async () => {
    const response = await fetch(`${server.url}/rest/v1/rpc/who`, {
      headers: {
        apikey: server.publishableKey,
        authorization: `Bearer ${server.publishableKey}`,
        "x-forwarded-for": "203.0.113.9",
        "x-real-ip": "203.0.113.9",
        cookie: "a=b",
      },
    });
    const { address, headers } = (await response.json()) as Record<string, unknown>;
    expect(address).toBe("127.0.0.1");
    for (const name of ["x-real-ip", "cookie", "apikey", "authorization"]) {
      expect(headers).not.toHaveProperty(name);
    }
    await client().from("visits").insert({ address: "203.0.113.9" });
    expect((await client().from("visits").select()).data).toEqual([{ address: "127.0.0.1" }]);
  });

  test("set the status of their refusal", async () => {
    expect(await client().rpc("slow_down")).toMatchObject({
      status: 429,
      error: { code: "PT429", message: "Too many messages", hint: "Wait a minute" },
    });
    expect(await client().rpc("refuse")).toMatchObject({
      status: 400,
      error: { code: "P0001", message: "Not today" },
    });
  });
});

describe("two requests of different roles in one tick", () => {
  test("never see each other's rows, 1,000 times", async () => {
    const alice = await userClient(aliceId);
    const bob = await userClient(bobId);
    const service = client(server.secretKey);
    await service.from("notes").insert([
      { owner: aliceId, body: "of Alice" },
      { owner: bobId, body: "of Bob" },
    ]);
    for (let round = 0; round < 1_000; round += 1) {
      const [a, b, anonymous, all] = await Promise.all([
        alice.from("notes").select("owner"),
        bob.from("notes").select("owner"),
        client().from("notes").select("owner"),
        service.from("notes").select("owner"),
      ]);
      expect(a.data).toEqual([{ owner: aliceId }]);
      expect(b.data).toEqual([{ owner: bobId }]);
      expect(anonymous.data).toEqual([]);
      expect(all.data).toHaveLength(2);
    }
  }, 60_000);
});

describe("around the tables", () => {
  test("the API serves no other route", async () => {
    const paths = ["/", "/_system/info", "/_system/config", "/storage/v1/bucket", "/rest/v2/x"];
    const statuses = await Promise.all(paths.map(async (path) => (await ask(path)).status));
    expect(statuses).toEqual([404, 404, 404, 404, 404]);
  });

  test("the API refuses a body over 1 MiB", async () => {
    const body = JSON.stringify({ body: "x".repeat(1024 * 1024) });
    const headers = { "content-type": "application/json" };
    expect((await ask("/rest/v1/notes", { method: "POST", body, headers })).status).toBe(413);
  });

  test("the API allows requests from other origins, as the hosted one does", async () => {
    const preflight = await ask("/rest/v1/notes", {
      method: "OPTIONS",
      headers: {
        origin: "https://elsewhere.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "apikey,authorization,content-type,prefer",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-headers")).toContain("apikey");
    expect((await ask("/rest/v1/notes")).headers.get("access-control-allow-origin")).toBe("*");
  });
});
