import { expect } from "vitest";
import { type Client, mailNumber, newClient, newEmail, password, present } from "./auth-server.ts";
import type { TestServer } from "./embedded-server.ts";

/** Signs up an account at an address. Confirmation must be off. */
export async function signUpAs(server: TestServer, email: string): Promise<Client> {
  const client = newClient(server);
  const { error } = await client.auth.signUp({ email, password });
  expect(error).toBeNull();
  return client;
}

/** Signs up an account and confirms it by mail. Returns it with its session. */
export async function confirmedAccount(server: TestServer) {
  const client = newClient(server);
  const email = newEmail();
  await client.auth.signUp({ email, password });
  const { tokenHash } = await mailNumber(server, email, 1);
  const { data, error } = await client.auth.verifyOtp({ token_hash: tokenHash, type: "signup" });
  if (error) {
    throw error;
  }
  return { client, email, ...present(data) };
}

/** Whether the client's session has ended. */
export const isSignedOut = async (client: Client) => (await client.auth.getUser()).error !== null;
