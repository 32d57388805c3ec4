import { randomBytes } from "node:crypto";
import { subscription } from "#embedded/calls.ts";
import type { Database } from "#embedded/database.ts";
import { CopyStream } from "#embedded/engine/copy-stream.ts";
import { disconnect, openClient } from "#embedded/sql.ts";

export const { schema } = subscription;
export const tables = [...new Set(subscription.changes.map(({ table }) => table))];
export type Table = (typeof tables)[number];

/** A committed change of a row. */
export interface Change {
  type: "INSERT" | "UPDATE";
  table: Table;
  id: string;
  /** The low 32 bits of the transaction id. */
  xid: number;
  committedAt: string;
}

export interface Capture {
  /** Waits for a batch of changes, oldest first. Rejects after the stream has ended. */
  take(): Promise<Change[]>;
  close(): void;
}

const maxBatch = 100;
const maxQueue = 10_000;

/**
 * Streams publication supabase_realtime in commit order. The slot is temporary, so that it retains
 * no WAL after a kill.
 */
export async function openCapture(database: Database): Promise<Capture> {
  const client = await openClient({
    ...database.login("supabase_replication_admin"),
    replication: "database",
  });
  const decode = createDecoder();
  const queue: Change[] = [];
  let failure: Error | undefined;
  let wake: (() => void) | undefined;

  const fail = (error: Error) => {
    failure ??= error;
    wake?.();
  };

  const slot = `realtime_${randomBytes(8).toString("hex")}`;
  const stream = new CopyStream(
    `START_REPLICATION SLOT ${slot} LOGICAL 0/0 (proto_version '1', publication_names 'supabase_realtime')`,
    (message) => {
      const isKeepalive = message.toString("latin1", 0, 1) === "k";
      if (isKeepalive && message[17] === 1) {
        stream.send(standbyStatus(message.subarray(1, 9)));
      }
      const change = isKeepalive ? undefined : decode(message.subarray(25));
      if (change) {
        queue.push(change);
        if (queue.length > maxQueue) {
          stream.pause();
        }
        wake?.();
      }
    },
  );
  stream.ended.then(() => fail(new Error("The change stream ended")), fail);

  try {
    await client.query(
      `CREATE_REPLICATION_SLOT ${slot} TEMPORARY LOGICAL pgoutput (SNAPSHOT 'nothing')`,
    );
    client.query(stream);
    await stream.started;
  } catch (error) {
    disconnect(client);
    throw error;
  }

  return {
    async take() {
      if (queue.length === 0 && !failure) {
        await new Promise<void>((resolve) => (wake = resolve));
      }
      if (failure) {
        throw failure;
      }
      const changes = queue.splice(0, maxBatch);
      if (queue.length <= maxQueue) {
        stream.resume();
      }
      return changes;
    },
    close() {
      fail(new Error("The change stream was closed"));
      disconnect(client);
    },
  };
}

/**
 * Creates a decoder of pgoutput 1 ("Logical Replication Message Formats") for one stream. It returns
 * undefined for a message that is no insert or update of the site's tables. The first column is
 * their key, and a row begins with the length and the text of each column.
 */
function createDecoder(): (message: Buffer) => Change | undefined {
  const relations = new Map<number, Table>();
  let xid = 0;
  let committedAt = "";
  return (message) => {
    const kind = message.toString("latin1", 0, 1);
    if (kind === "B") {
      const microseconds = Number(message.readBigInt64BE(9));
      committedAt = new Date(epoch + microseconds / 1000).toISOString();
      xid = message.readUInt32BE(17);
    } else if (kind === "R") {
      const [namespace, name] = message.toString("utf8", 5).split("\0", 2);
      const table = tables.find((known) => namespace === schema && name === known);
      if (table) {
        relations.set(message.readUInt32BE(1), table);
      }
    } else if (kind === "I" || kind === "U") {
      const table = relations.get(message.readUInt32BE(1));
      const type = kind === "I" ? "INSERT" : "UPDATE";
      const id = message.toString("latin1", 13, 13 + message.readUInt32BE(9));
      return table && { type, table, id, xid, committedAt };
    }
    return undefined;
  };
}

/** Where PostgreSQL's time begins. */
const epoch = Date.UTC(2000, 0, 1);

/** A "Standby status update" (PostgreSQL, "Streaming Replication Protocol"): all is flushed. */
function standbyStatus(position: Buffer): Buffer {
  const status = Buffer.alloc(34);
  status.write("r", 0, "latin1");
  for (const at of [1, 9, 17]) {
    position.copy(status, at);
  }
  status.writeBigInt64BE(BigInt(Date.now() - epoch) * 1000n, 25);
  return status;
}
