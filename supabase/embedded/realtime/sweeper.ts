import { closeChannel } from "./channel.ts";
import { activeSessions, expiryText, hasExpired } from "./identity.ts";
import type { Connection, Context } from "./types.ts";

const sweepMs = 1_000;

/** Closes expired channels, silent sockets and channels of ended sessions. Returns what stops it. */
export function startSweeper(context: Context, connections: ReadonlySet<Connection>): () => void {
  const sweep = setInterval(() => {
    closeExpired(context);
    terminateSilent(context, connections);
  }, sweepMs);
  const sessions = setInterval(() => {
    closeEndedSessions(context).catch((error: unknown) =>
      context.log.error("Realtime could not look up the sessions", {
        error: (error as Error).name,
      }),
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
      closeChannel(channel, channels, expiryText(channel.identity.expiresAt ?? 0, now()));
    }
  }
}

function terminateSilent({ limits }: Context, connections: ReadonlySet<Connection>): void {
  for (const connection of connections) {
    if (performance.now() - connection.lastHeard() > limits.silenceMs) {
      connection.terminate();
    }
  }
}

async function closeEndedSessions({ channels, database }: Context): Promise<void> {
  const checked = new Map([...channels].map((channel) => [channel, channel.identity.sessionId]));
  const ids = new Set([...checked.values()].filter((id) => id !== undefined));
  const active = await activeSessions(database, [...ids]);
  for (const [channel, id] of checked) {
    // A new token may have arrived during the query. Its session was checked then.
    const isCurrent = channels.has(channel) && channel.identity.sessionId === id;
    if (isCurrent && id !== undefined && !active.has(id)) {
      closeChannel(channel, channels, "The session of the token has ended");
    }
  }
}
