import { storeMessages } from "#tests/support/messages.ts";
import { newCredentials, signedUp, Visitor } from "#tests/support/visitor.ts";

export const browserHeaders = { "accept-encoding": "gzip, deflate, br, zstd" };

/** Signs up a new account through the form. Returns its cookies as a Cookie header. */
export async function signUp(url: string, account = newCredentials()): Promise<string> {
  return cookiesOf(await signedUp({ url }, account));
}

/** Signs in through the form. Returns the cookies of the new session as a Cookie header. */
export async function signIn(
  url: string,
  account: ReturnType<typeof newCredentials>,
): Promise<string> {
  const visitor = new Visitor({ url });
  const { status } = await visitor.post("/auth", account);
  if (status !== 302) {
    throw new Error(`The sign-in failed: status ${status}`);
  }
  return cookiesOf(visitor);
}

function cookiesOf(visitor: Visitor): string {
  visitor.cookies.delete("toast");
  return visitor.cookieHeader();
}

/** Stores a message in the database of a running site. */
export async function storeMessage(dataDir: string, message: string): Promise<void> {
  await storeMessages(dataDir, [{ name: "Bench", email: "bench@example.com", message }]);
}
