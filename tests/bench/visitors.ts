import { storeMessages } from "#tests/support/messages.ts";
import { newCredentials, signedIn, signedUp, type Visitor } from "#tests/support/visitor.ts";

export const browserHeaders = { "accept-encoding": "gzip, deflate, br, zstd" };

/** Signs up a new account through the form. Returns its cookies as a Cookie header. */
export async function signUp(url: string, account = newCredentials()): Promise<string> {
  return cookiesOf(await signedUp({ url }, account));
}

/** Signs in through the form. Returns the cookies of the new session as a Cookie header. */
export const signIn = async (url: string, account: ReturnType<typeof newCredentials>) =>
  cookiesOf(await signedIn({ url }, account));

function cookiesOf(visitor: Visitor): string {
  visitor.cookies.delete("toast");
  return visitor.cookieHeader();
}

/** Stores a message in the database of a running site. */
export async function storeMessage(dataDir: string, message: string): Promise<void> {
  await storeMessages(dataDir, [{ name: "Bench", email: "bench@example.com", message }]);
}
