import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type AuthServer,
  enrol,
  send,
  signUp,
  startAuthServer,
} from "#tests/support/auth-server.ts";

let server: AuthServer;
let token: string;
let factorId: string;
beforeAll(async () => {
  server = await startAuthServer();
  const { client, session } = await signUp(server);
  token = session.access_token;
  factorId = (await enrol(client)).id;
});
afterAll(() => server.close());

const odd = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ maxLength: 300 }),
  fc.constantFrom(
    "",
    "\0",
    "\ud800",
    "a@b.co",
    "٠١٢٣٤٥",
    "../..",
    "'; drop table auth.users; --",
    "x".repeat(3000),
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.uuid(),
);

const fields = [
  "email",
  "password",
  "data",
  "code_challenge",
  "code_challenge_method",
  "refresh_token",
  "auth_code",
  "code_verifier",
  "type",
  "token",
  "token_hash",
  "create_user",
  "nonce",
  "current_password",
  "factor_type",
  "friendly_name",
  "issuer",
  "challenge_id",
  "code",
  "__proto__",
];

const plausible = new Map<string, unknown[]>(
  Object.entries({
    email: ["person1@example.com", "fuzz@example.com"],
    password: ["correct horse"],
    type: ["signup", "email", "recovery", "email_change", "constructor"],
    factor_type: ["totp"],
  }),
);

const body = fc
  .array(
    fc
      .constantFrom(...fields)
      .chain((field) =>
        fc.tuple(
          fc.constant(field),
          fc.oneof(odd, fc.constantFrom(...(plausible.get(field) ?? [null]))),
        ),
      ),
    { maxLength: 6 },
  )
  .map(
    (entries) =>
      `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(",")}}`,
  );

const path = fc.oneof(
  fc.constantFrom(
    "POST /signup",
    "POST /token?grant_type=password",
    "POST /token?grant_type=refresh_token",
    "POST /token?grant_type=pkce",
    "POST /verify",
    "POST /recover",
    "POST /resend",
    "POST /otp",
    "PUT /user",
    "POST /factors",
  ),
  odd.map(
    (value) =>
      `GET /verify?token=t&type=signup&redirect_to=${encodeURIComponent(JSON.stringify(value).toWellFormed())}`,
  ),
  odd.map(
    (value) =>
      `POST /factors/${encodeURIComponent(JSON.stringify(value).toWellFormed())}/challenge`,
  ),
  fc.constantFrom("verify", "challenge").map((action) => `POST /factors/${factorId}/${action}`),
);

test("never fails on any input", async () => {
  await fc.assert(
    fc.asyncProperty(path, body, async (request, text) => {
      const [method = "", target = ""] = request.split(" ");
      const answer = await send(server, method, target, {
        token,
        ...(method === "GET" ? {} : { body: text }),
      });
      expect(answer.status).toBeLessThan(500);
    }),
    { numRuns: 400 },
  );
}, 60_000);
