import { startTestServer, type TestServer } from "./embedded-server.ts";
import { readMessages, storeMessages } from "./messages.ts";

/** A site that stores messages until it is killed. */
export const childFile = new URL("./crash-child.ts", import.meta.url).pathname;

/** Stores a message in the database of a running backend. */
export async function insert({ dataDir }: TestServer, text: string): Promise<void> {
  await storeMessages(dataDir, [{ name: "n", email: "a@b.co", message: text }]);
}

/** Starts a site, reads the stored messages, oldest first, and stops it. */
export async function storedMessages(dataDir: string): Promise<string[]> {
  const server = await startTestServer({ dataDir });
  try {
    return (await readMessages(dataDir)).map(({ message }) => message);
  } finally {
    await server.close();
  }
}
