import { createSecretClient, type SecretOptions } from "./secret-client.ts";

const usual = {
  // The same as the official client's timeout of a join.
  startMs: 10_000,
  // A server that is silent for the same time again counts as dead.
  heartbeatMs: 10_000,
};
// The client must never reconnect, because LiveBoards begins the subscription again. It would also reconnect
// after `disconnect`, if its heartbeat was not answered.
const reconnectAfterMs = () => 2 ** 31 - 1;

export interface Changes {
  /** A message was inserted. */
  onInsert(id: string): void;
  /** Something else has changed. */
  onChange(): void;
  /** Nothing more will come. */
  onEnd(): void;
}

/**
 * Subscribes to all changes of the inbox with the secret key. Resolves when they arrive, with the
 * function that stops it. Rejects if Realtime refuses it, or does not answer within `startMs`.
 */
export async function joinRealtime(
  options: SecretOptions,
  { onInsert, onChange, onEnd }: Changes,
  { startMs, heartbeatMs: heartbeatIntervalMs } = usual,
): Promise<() => void> {
  const client = createSecretClient(options, { heartbeatIntervalMs, reconnectAfterMs });
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
  const timer = setTimeout(end, startMs);
  // A join before this would have no key and receive no rows.
  await client.realtime.setAuth();
  const messages = { schema: "public", table: "contact_messages" };
  const deletions = { schema: "public", table: "inbox_deletions" };
  client
    .channel("contact_messages_changes")
    // Realtime omits large values (`errors`).
    .on("postgres_changes", { ...messages, event: "INSERT" }, ({ errors, new: { id } }) =>
      errors || typeof id !== "string" ? onChange() : onInsert(id),
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
