import { describe, expect } from "vitest";
import { type AuthServer, newEmail, password, send } from "#tests/support/auth-server.ts";
import { test } from "#tests/support/auth-test.ts";

const post = (server: AuthServer, body: string) => send(server, "POST", "/signup", { body });

describe("the authentication service", () => {
  test("has two formats of errors", async ({ server }) => {
    const old = await send(server, "GET", "/user");
    expect(old.status).toBe(401);
    expect(old.json).toEqual({
      code: 401,
      error_code: "no_authorization",
      msg: expect.stringContaining("Bearer token") as string,
    });
    const headers = { "x-supabase-api-version": "2024-01-01" };
    const recent = await send(server, "GET", "/user", { headers });
    expect(recent.headers.get("x-supabase-api-version")).toBe("2024-01-01");
    expect(recent.json).toEqual({
      code: "no_authorization",
      message: expect.stringContaining("Bearer token") as string,
    });
  });

  test("refuses bodies that are not JSON, not an object, too large or impossible to store", async ({
    server,
  }) => {
    const stored = (data: string) =>
      post(server, `{"email":"${newEmail()}","password":"${password}","data":${data}}`);
    for (const body of ["", "{", "[]", "null", '"text"', "[".repeat(30_000)]) {
      expect(await post(server, body)).toMatchObject({
        status: 400,
        json: { error_code: "bad_json" },
      });
    }
    for (const data of [
      String.raw`{"a":"\u0000"}`,
      String.raw`{"a":"\ud800"}`,
      String.raw`{"\u0000":1}`,
    ]) {
      expect(await stored(data)).toMatchObject({ status: 400, json: { error_code: "bad_json" } });
    }
    expect(await stored(`{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`)).toMatchObject({
      status: 400,
    });
    expect(await stored(`"${"x".repeat(70_000)}"`)).toMatchObject({
      status: 413,
      json: { error_code: "request_entity_too_large" },
    });
    expect(await post(server, '{"email":1}')).toMatchObject({
      status: 400,
      json: { error_code: "validation_failed" },
    });
  });

  test("returns its settings and health, and 404 on other paths", async ({ server }) => {
    expect((await send(server, "GET", "/settings")).json).toMatchObject({
      external: { email: true, google: false },
      disable_signup: false,
      mailer_autoconfirm: true,
    });
    expect((await send(server, "GET", "/health")).json).toMatchObject({ name: "GoTrue" });
    expect((await send(server, "GET", "/admin/users")).status).toBe(404);
    expect((await send(server, "GET", "/signup")).status).toBe(404);
  });
});
