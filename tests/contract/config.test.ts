import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "#tests/support/embedded-server.ts";

let folder: string;
let server: TestServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "config-"));
  const configFile = join(folder, "config.toml");
  await writeFile(
    configFile,
    `
    [auth]
    minimum_password_length = 12
    jwt_expiry = 600
    [auth.rate_limit]
    sign_in_sign_ups = 3
    [auth.mfa.totp]
    enroll_enabled = false
    verify_enabled = true`,
  );
  server = await startTestServer({ configFile });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

async function post(path: string, body: object, token = server.publishableKey) {
  const response = await fetch(`${server.url}/auth/v1${path}`, {
    method: "POST",
    headers: {
      apikey: server.publishableKey,
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

test("the authentication follows config.toml", async () => {
  const email = "config@example.com";
  expect(await post("/signup", { email, password: "eleven long" })).toMatchObject({
    status: 422,
    json: { error_code: "weak_password", msg: expect.stringContaining("12 characters") },
  });
  const account = await post("/signup", { email, password: "twelve long!" });
  expect(account).toMatchObject({ status: 200, json: { expires_in: 600 } });
  expect(
    await post("/factors", { factor_type: "totp" }, String(account.json["access_token"])),
  ).toMatchObject({ status: 422, json: { error_code: "mfa_totp_enroll_not_enabled" } });
  expect((await post("/signup", { email: "2@example.com", password: "twelve long!" })).status).toBe(
    200,
  );
  expect((await post("/signup", { email: "3@example.com", password: "twelve long!" })).status).toBe(
    429,
  );
});
