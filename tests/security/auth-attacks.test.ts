import { describe, expect } from "vitest";
import {
  newClient,
  newEmail,
  password,
  present,
  send,
  sendFrom,
  signUp,
} from "#tests/support/auth-server.ts";
import { test } from "#tests/support/auth-test.ts";

const tokenPath = "/token?grant_type=password";

describe("what an account stores", () => {
  test("is at most 16 kB of metadata, over however many calls, and a small token", async ({
    start,
  }) => {
    const site = await start();
    const { client } = await signUp(site);
    const { auth } = client;
    const statuses = new Set<unknown>();
    for (let number = 0; number < 30; number += 1) {
      const { error } = await auth.updateUser({ data: { [`k${number}`]: "x".repeat(1000) } });
      statuses.add(error?.code ?? "ok");
    }
    expect(statuses).toEqual(new Set(["ok", "validation_failed"]));
    const { data } = await auth.getUser();
    const size = JSON.stringify(data.user?.user_metadata).length;
    expect(size).toBeGreaterThan(10_000);
    expect(size).toBeLessThanOrEqual(16_384);
    const renewed = await auth.refreshSession();
    expect(present(renewed.data).session.access_token.length).toBeLessThan(8000);

    const large = { data: { x: "ن".repeat(9000) } };
    const refused = await newClient(site).auth.signUp({
      email: newEmail(),
      password,
      options: large,
    });
    expect(refused.error).toMatchObject({ status: 400, code: "validation_failed" });
  });

  test("is at most 256 characters of a User-Agent", async ({ start }) => {
    const site = await start();
    const { email, client } = await signUp(site);
    const answer = await sendFrom(
      site,
      "192.0.2.1",
      tokenPath,
      { email, password },
      {
        "User-Agent": "u".repeat(14_000),
      },
    );
    expect(answer.status).toBe(200);
    const { data } = await client.rpc("my_sessions");
    const lengths = (data as { user_agent: string }[]).map(({ user_agent: agent }) => agent.length);
    expect(Math.max(...lengths)).toBe(256);
  });
});

test("reading the user is limited like the other calls", async ({ start }) => {
  const limit = { points: 2, seconds: 300 };
  const site = await start({
    rateLimits: {
      user: limit,
      logout: limit,
      reauthenticate: limit,
      factors: limit,
      mailInterval: { points: 100, seconds: 60 },
    },
  });
  const { session } = await signUp(site);
  const token = session.access_token;
  for (const [method, path] of [
    ["GET", "/user"],
    ["POST", "/logout?scope=none"],
    ["GET", "/reauthenticate"],
    ["POST", "/factors"],
  ] as const) {
    const body = method === "GET" ? undefined : {};
    const ask = async () => (await send(site, method, path, { token, body })).status;
    const statuses = [await ask(), await ask(), await ask()];
    expect([path, statuses.map((status) => status === 429)]).toEqual([path, [false, false, true]]);
  }
});

test("addresses with hidden or look-alike characters are refused at every endpoint", async ({
  start,
}) => {
  const site = await start();
  const { session } = await signUp(site);
  const marks = [
    "\u200B",
    "\u200C",
    "\u200D",
    "\u2060",
    "\uFEFF",
    "\u00AD",
    "\u200E",
    "\u202E",
    "\u2066",
    "\u061C",
  ];
  // U+212A in lower case is k.
  const emails = [...marks.map((mark) => `per${mark}son@example.com`), "\u212Aate@example.com"];
  const put = (email: string) =>
    send(site, "PUT", "/user", { token: session.access_token, body: { email } });
  const post = (path: string, body: object) => (email: string) =>
    send(site, "POST", path, { body: { ...body, email } });
  const ways = {
    put,
    signup: post("/signup", { password }),
    recover: post("/recover", {}),
    otp: post("/otp", {}),
    resend: post("/resend", { type: "signup" }),
    verify: post("/verify", { type: "recovery", token: "123456" }),
  };
  for (const [name, ask] of Object.entries(ways)) {
    for (const email of emails) {
      const { status, json } = await ask(email);
      expect([name, email, status, json?.["error_code"]]).toEqual([
        name,
        email,
        400,
        "validation_failed",
      ]);
    }
  }
  await newClient(site).auth.signUp({ email: "kate@example.com", password });
  const { status } = await post(tokenPath, { password })("\u212Aate@example.com");
  expect(status).toBe(400);
});

const nested = (depth: number) => `${'{"data":'.repeat(depth)}1${"}".repeat(depth)}`;

test("bodies are limited in size and depth, and texts before they are processed", async ({
  start,
}) => {
  const site = await start();
  const ask = async (body: unknown, path = "/signup") => {
    const begin = performance.now();
    const answer = await sendFrom(site, "192.0.2.1", path, body);
    expect(performance.now() - begin).toBeLessThan(1000);
    const { error_code: code } = (await answer.json()) as { error_code: string };
    return [answer.status, code];
  };
  expect(await ask("x".repeat(65_537))).toEqual([413, "request_entity_too_large"]);
  expect(await ask(nested(40))).toEqual([400, "bad_json"]);
  expect(await ask(nested(7000))).toEqual([400, "bad_json"]);
  expect(await ask("[".repeat(65_000))).toEqual([400, "bad_json"]);
  const long = `a${"\u0301\u0316".repeat(10_000)}`;
  const email = newEmail();
  const refused = [400, "validation_failed"];
  expect(await ask({ email: long, password })).toEqual(refused);
  expect(await ask({ email, password: long })).toEqual(refused);
  expect(await ask({ email, password, code_challenge: long })).toEqual(refused);
  expect(await ask({ email, password: long }, tokenPath)).toEqual(refused);
  expect(await ask({ refresh_token: long }, "/token?grant_type=refresh_token")).toEqual(refused);
  expect(await ask({ auth_code: long, code_verifier: "x" }, "/token?grant_type=pkce")).toEqual(
    refused,
  );
  for (const field of ["type", "token", "token_hash", "email", "phone"]) {
    const body = { type: "recovery", token: "123456", email, [field]: long };
    expect([field, await ask(body, "/verify")]).toEqual([field, refused]);
  }
  expect(await ask({ type: long, email }, "/resend")).toEqual(refused);
});

test("factors of other kinds are refused as switched off", async ({ start }) => {
  const site = await start();
  const { client, session } = await signUp(site);
  const refusals = [
    await client.auth.mfa.enroll({ factorType: "phone", phone: "+966500000000" }),
    await client.auth.mfa.enroll({ factorType: "webauthn", friendlyName: "key" }),
  ].map(({ error }) => [error?.status, error?.code]);
  expect(refusals).toEqual([
    [422, "mfa_phone_enroll_not_enabled"],
    [422, "mfa_webauthn_enroll_not_enabled"],
  ]);
  const token = session.access_token;
  const other = await send(site, "POST", "/factors", { token, body: { factor_type: "sms" } });
  expect([other.status, other.json?.["error_code"]]).toEqual([400, "validation_failed"]);
});
