import type { Client } from "./auth-server.ts";

/** The number of messages that the client's account reads in the inbox. */
export async function readableMessages(client: Client): Promise<number> {
  const { data } = await client.rpc("read_inbox").throwOnError();
  return (data as { page: unknown[] }).page.length;
}
