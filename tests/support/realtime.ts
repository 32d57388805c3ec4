import type { Server } from "node:http";
import { Client } from "pg";
import { type WebSocket, WebSocketServer } from "ws";
import { z } from "zod";
import { secretKeys } from "./keys.ts";
import { databaseUrl } from "./superuser.ts";

/**
 * `refuse`: each join gets an error. `lose`: joins get no answer. `unconfirmed`: a join works, and no
 * message says that changes will arrive. `unpublished`: a join works, but its tables are not published.
 * `omit`: rows are too large to be sent. `hang`: nothing is answered, and nothing sent.
 */
type Fault = "refuse" | "lose" | "unconfirmed" | "unpublished" | "omit" | "hang" | undefined;

const entrySchema = z.strictObject({
  event: z.enum(["INSERT", "UPDATE"]),
  schema: z.literal("public"),
  table: z.enum(["contact_messages", "inbox_deletions"]),
});
type Entry = z.infer<typeof entrySchema>;
const joinSchema = z.object({
  access_token: z.string().optional(),
  config: z.object({ postgres_changes: z.array(entrySchema) }),
});
const frameSchema = z.tuple([
  z.string().nullable(),
  z.string().nullable(),
  z.string(),
  z.string(),
  z.unknown(),
]);

/**
 * Serves Supabase Realtime's protocol (vsn 2.0.0 of supabase/realtime 2.129) over WebSockets, as far
 * as the site's subscription needs it, with the changes of the database of a data folder. It tells ids
 * alone, and only who has a secret key.
 */
export function serveRealtime(http: Server, dataDir: string) {
  const server = new WebSocketServer({ noServer: true });
  const joined = new Set<{ expire(): void; tellDeletion(): void }>();
  const tokens: (string | undefined)[] = [];
  let fault: Fault;
  http.on("upgrade", (request, stream, head) => {
    const { searchParams: query } = new URL(request.url ?? "", "http://localhost");
    if (!query.get("apikey") || query.get("vsn") !== "2.0.0") {
      return stream.end("HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n");
    }
    server.handleUpgrade(request, stream, head, serve);
  });

  function serve(socket: WebSocket) {
    const closers: (() => void)[] = [];
    const send = (...frame: unknown[]) => fault !== "hang" && socket.send(JSON.stringify(frame));
    socket.on("message", async (data) => {
      const [joinRef, ref, topic, event, payload] = frameSchema.parse(JSON.parse(String(data)));
      const reply = (status: "ok" | "error", response: object) =>
        send(joinRef, ref, topic, "phx_reply", { status, response });
      if (event === "phx_join") {
        const join = joinSchema.parse(payload);
        tokens.push(join.access_token);
        if (fault === "refuse") {
          return reply("error", { reason: "ClientJoinRateLimitReached: Too many joins" });
        }
        if (fault !== "lose") {
          closers.push(await openChannel(join, { joinRef, topic, send, reply }));
        }
      } else {
        // A heartbeat or a leave.
        reply("ok", {});
      }
    });
    socket.on("close", () => closers.forEach((close) => close()));
  }

  async function openChannel(
    { access_token: token, config }: z.infer<typeof joinSchema>,
    to: {
      joinRef: string | null;
      topic: string;
      send(...frame: unknown[]): void;
      reply(status: "ok" | "error", response: object): void;
    },
  ) {
    const bindings = config.postgres_changes.map((entry, index) => ({ ...entry, id: index + 1 }));
    const tell = (table: Entry["table"], type: Entry["event"], record: object) => {
      const heard = bindings.filter((each) => each.event === type && each.table === table);
      const ids = heard.map(({ id }) => id);
      const head = { schema: "public", table, type };
      const now = new Date().toISOString();
      const row =
        fault === "omit"
          ? { record: {}, errors: ["Error 413: Payload Too Large"] }
          : { record, errors: null };
      const data = { ...head, commit_timestamp: now, columns: [], ...row };
      to.send(null, null, to.topic, "postgres_changes", { ids, data });
    };
    const system = (extension: string, status: "ok" | "error", message: string) =>
      to.send(to.joinRef, null, to.topic, "system", { extension, status, message });
    const expire = () => {
      system("system", "error", "Token has expired 0 seconds ago");
      to.send(to.joinRef, to.joinRef, to.topic, "phx_close", {});
    };
    const stop = secretKeys.includes(token ?? "")
      ? await hearChanges(dataDir, (isInsert, id) =>
          isInsert
            ? tell("contact_messages", "INSERT", { id })
            : tell("contact_messages", "UPDATE", {}),
        )
      : undefined;
    const channel = { expire, tellDeletion: () => tell("inbox_deletions", "UPDATE", {}) };
    if (!stop) {
      to.reply("error", { reason: "InvalidJWTToken: The token is refused" });
    } else {
      to.reply("ok", { postgres_changes: bindings });
      joined.add(channel);
      if (fault === "unpublished") {
        system("postgres_changes", "error", "Please check Realtime is enabled");
      } else if (fault !== "unconfirmed") {
        system("postgres_changes", "ok", "Subscribed to PostgreSQL");
      }
    }
    return () => {
      joined.delete(channel);
      stop?.();
    };
  }

  return {
    /** The tokens of all joins. */
    tokens,
    /** The number of open sockets. */
    sockets: () => server.clients.size,
    setFault: (next: Fault) => void (fault = next),
    /** Ends all subscriptions, as when their tokens expire. */
    expireAll: () => joined.forEach(({ expire }) => expire()),
    /** Tells what a deletion changes: the row of inbox_deletions. */
    tellDeletion: () => joined.forEach(({ tellDeletion }) => tellDeletion()),
    /** Cuts all sockets. */
    cut: () => server.clients.forEach((socket) => socket.terminate()),
  };
}

/** Hears of each inserted message by its id, and of other changes without. */
async function hearChanges(
  dataDir: string,
  tell: (isInsert: boolean, id?: string) => void,
): Promise<() => void> {
  const client = new Client(await databaseUrl(dataDir));
  // It ends with the database.
  client.on("error", () => undefined);
  client.on("notification", ({ payload = "" }) => {
    const [kind, ids = "", table] = payload.split(" ");
    if (kind === "insert" && table === "public.contact_messages") {
      ids.split(",").forEach((id) => tell(true, id));
    } else {
      tell(false);
    }
  });
  await client.connect();
  await client.query("listen changes");
  return () => void client.end();
}
