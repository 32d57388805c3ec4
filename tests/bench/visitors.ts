import { loadKeys } from "#embedded/keys.ts";
import { newAddress } from "#tests/support/address.ts";
import { newCredentials } from "#tests/support/credentials.ts";
import { sessionOf } from "#tests/support/session-value.ts";

export const browserHeaders = { "accept-encoding": "gzip, deflate, br, zstd" };

type Account = ReturnType<typeof newCredentials>;

/** Signs up a new account through the form. Returns its cookies as a Cookie header. */
export function signUp(url: string, account = newCredentials()): Promise<string> {
  return sendCredentials(`${url}/auth?mode=sign-up`, account);
}

/** Signs in through the form. Returns the cookies of the new session as a Cookie header. */
export function signIn(url: string, account: Account): Promise<string> {
  return sendCredentials(`${url}/auth`, account);
}

async function sendCredentials(form: string, account: Account): Promise<string> {
  const response = await fetch(form, {
    method: "POST",
    headers: { Origin: new URL(form).origin, "X-Forwarded-For": newAddress() },
    body: new URLSearchParams(account),
    redirect: "manual",
  });
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  if (response.status !== 302) {
    throw new Error(`The sign-in failed: status ${response.status}`);
  }
  return cookies.filter((cookie) => !cookie?.startsWith("toast=")).join("; ");
}

/** Returns the access token from the session cookie, which scripts cannot read. */
export function tokenOf(cookie: string): string {
  const [, value = ""] = /session=([^;]*)/.exec(cookie) ?? [];
  return sessionOf(value).access_token;
}

/** Returns a site's secret key, which skips row level security. */
export async function readSecretKey(dataDir: string): Promise<string> {
  return (await loadKeys(dataDir)).secretKey;
}

/** Inserts a message over REST with the secret key. */
export async function insertMessage(url: string, secretKey: string, message: string) {
  const response = await fetch(`${url}/rest/v1/contact_messages`, {
    method: "POST",
    headers: { apikey: secretKey, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "Bench", email: "bench@example.com", message }),
  });
  if (response.status !== 201) {
    throw new Error(`Not inserted: status ${response.status}`);
  }
  await response.arrayBuffer();
}
