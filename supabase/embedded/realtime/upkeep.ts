import { hasExpired } from "./channel.ts";
import { type Connection } from "./connection.ts";
import { type Context } from "./context.ts";
import { expiryText, livingSessions } from "./identity.ts";

const SWEEP_MS = 1_000;

/**
 * Every second closes the channels whose token has expired and the sockets that have gone
 * silent, and at a longer interval the channels whose user has signed out. Gives a function that
 * stops it.
 */
export function startUpkeep(context: Context, connections: ReadonlySet<Connection>): () => void {
  const sweep = setInterval(() => {
    closeExpired(context);
    closeSilent(context, connections);
  }, SWEEP_MS);
  const sessions = setInterval(() => {
    closeSignedOut(context).catch((error: unknown) =>
      context.log(`Realtime could not look up the sessions (${(error as Error).name}).`),
    );
  }, context.limits.sessionCheckMs);
  return () => {
    clearInterval(sweep);
    clearInterval(sessions);
  };
}

function closeExpired({ channels, now }: Context): void {
  for (const channel of channels) {
    if (hasExpired(channel.identity, now())) {
      channel.close(expiryText(channel.identity.expiresAt ?? 0, now()));
    }
  }
}

function closeSilent({ limits }: Context, connections: ReadonlySet<Connection>): void {
  for (const connection of connections) {
    if (performance.now() - connection.lastHeard() > limits.silenceMs) {
      connection.terminate();
    }
  }
}

async function closeSignedOut({ channels, database }: Context): Promise<void> {
  const asked = new Map([...channels].map((channel) => [channel, channel.identity] as const));
  const ids = new Set([...asked.values()].flatMap(({ sessionId }) => sessionId ?? []));
  const alive = await livingSessions(database, [...ids]);
  for (const [channel, { sessionId }] of asked) {
    // A token that came in meanwhile was checked when it came.
    const same = channels.has(channel) && channel.identity.sessionId === sessionId;
    if (same && sessionId !== undefined && !alive.has(sessionId)) {
      channel.close("The session of the token has ended");
    }
  }
}
