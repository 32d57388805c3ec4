import { newAddress } from "#tests/support/address.ts";
import { newCredentials } from "#tests/support/credentials.ts";
import { storeMessages } from "#tests/support/messages.ts";

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

/** Stores a message in the database of a running site. */
export async function storeMessage(dataDir: string, message: string): Promise<void> {
  await storeMessages(dataDir, [{ name: "Bench", email: "bench@example.com", message }]);
}
