import { createClient } from "@supabase/supabase-js";
import type { Backend, LiveEvents } from "#app/site-contract.server.ts";

// Same as the official client's timeout of a join.
const startWithinMs = 10_000;
// A server that is silent for as long again is taken for dead.
const heartbeatIntervalMs = 10_000;
// Never: boards reconnect, and then read, because Realtime has no replay. The client would also
// reconnect after `disconnect`, if its heartbeat was not answered.
const reconnectAfterMs = () => 2 ** 31 - 1;

/** Listens to Supabase Realtime, like `listen` of a Backend. */
export async function listenToRealtime(
  { url, publishableKey }: Pick<Backend, "url" | "publishableKey">,
  token: string,
  { onInsert, onChange, onEnd }: LiveEvents,
): Promise<() => void> {
  const client = createClient(url, publishableKey, {
    accessToken: async () => token,
    realtime: { heartbeatIntervalMs, reconnectAfterMs },
  });
  const started = Promise.withResolvers<void>();
  let isOver = false;
  const stop = () => {
    isOver = true;
    clearTimeout(timer);
    void client.realtime.disconnect();
  };
  const end = () => {
    if (!isOver) {
      stop();
      started.reject(new Error("Realtime ended the subscription"));
      onEnd();
    }
  };
  const timer = setTimeout(end, startWithinMs);
  // A join before this would have no token and receive no rows.
  await client.realtime.setAuth();
  const messages = { schema: "public", table: "contact_messages" };
  const deletions = { schema: "public", table: "inbox_deletions" };
  client
    .channel("contact_messages_changes")
    // Realtime omits large values (`errors`).
    .on("postgres_changes", { ...messages, event: "INSERT" }, (change) =>
      change.errors ? onChange() : onInsert(change.new),
    )
    // An update may move a message to another box.
    .on("postgres_changes", { ...messages, event: "UPDATE" }, onChange)
    // Deletions are not published; each one updates the row of this table.
    .on("postgres_changes", { ...deletions, event: "UPDATE" }, onChange)
    // "SUBSCRIBED" comes before changes are delivered; this message confirms that they are.
    .on("system", {}, ({ status }: { status: string }) =>
      status === "ok" ? started.resolve() : end(),
    )
    .subscribe((status) => {
      if (status !== "SUBSCRIBED") {
        end();
      }
    });
  await started.promise;
  clearTimeout(timer);
  return stop;
}
