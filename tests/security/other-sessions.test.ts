import { afterAll, expect, test } from "vitest";
import {
  enrolVerified,
  proved,
  send,
  signIn,
  signUp,
  startAuthServer,
} from "#tests/support/auth-server.ts";

const server = await startAuthServer();
afterAll(() => server.close());

test("a token without the second factor cannot end other sessions", async () => {
  const { client, email } = await signUp(server);
  await enrolVerified(server, client);
  const weak = await signIn(server, email);
  const token = weak.session.access_token;
  expect(await send(server, "POST", "/logout?scope=others", { token })).toMatchObject({
    status: 422,
    json: { code: "insufficient_aal" },
  });
  expect((await client.auth.getUser()).error).toBeNull();
  expect((await send(server, "POST", "/logout?scope=local", { token })).status).toBe(204);
  expect((await weak.client.auth.getUser()).error).not.toBeNull();
  await proved(client);
  expect((await client.auth.signOut({ scope: "others" })).error).toBeNull();
});

test("a token of a session without a proof ends no other session", async () => {
  const { client: holder, email } = await signUp(server);
  const thief = await signIn(server, email);
  const token = thief.session.access_token;
  expect(await send(server, "POST", "/logout?scope=others", { token })).toMatchObject({
    status: 400,
    json: { code: "reauthentication_needed" },
  });
  expect((await holder.auth.getUser()).error).toBeNull();
});
