import { randomBytes, randomInt } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

export const browserHeaders = { "accept-encoding": "gzip, deflate, br, zstd" };

export const randomAddress = () =>
  [10, randomInt(256), randomInt(256), randomInt(1, 255)].join(".");

export const newAccount = () => ({
  email: `bench-${randomBytes(6).toString("hex")}@example.com`,
  password: randomBytes(9).toString("base64url"),
});

/** Signs a new account up through the form; gives its cookies, as a Cookie header has them. */
export async function signUp(url: string, account = newAccount()): Promise<string> {
  const response = await fetch(`${url}/auth?mode=sign-up`, {
    method: "POST",
    headers: { Origin: url, "X-Forwarded-For": randomAddress() },
    body: new URLSearchParams(account),
    redirect: "manual",
  });
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  if (response.status !== 302) throw new Error(`No account was made: status ${response.status}`);
  return cookies.filter((cookie) => !cookie?.startsWith("notice=")).join("; ");
}

/** What an open inbox is given to listen with; the token also reads over REST. */
export async function readAccess(url: string, cookie: string) {
  const response = await fetch(`${url}/admin/live`, { headers: { cookie } });
  if (!response.ok) throw new Error(`No token was given: status ${response.status}`);
  return (await response.json()) as { key: string; token: string };
}

/** The key that passes over row level security, from the data folder of a site. */
export async function readSecretKey(dataDir: string): Promise<string> {
  const keys = JSON.parse(await readFile(join(dataDir, "keys.json"), "utf8"));
  return keys.secretKey;
}

/** Inserts a message over REST as the site's owner would from a program. */
export async function insertMessage(url: string, secretKey: string, message: string) {
  const response = await fetch(`${url}/rest/v1/contact_messages`, {
    method: "POST",
    headers: { apikey: secretKey, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "Bench", email: "bench@example.com", message }),
  });
  if (response.status !== 201) throw new Error(`Not inserted: status ${response.status}`);
  await response.arrayBuffer();
}
