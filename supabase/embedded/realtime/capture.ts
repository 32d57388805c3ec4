import { randomBytes } from "node:crypto";
import type { Duplex } from "node:stream";
import postgres, { type Sql } from "postgres";
import type { Database } from "#embedded/database.ts";
import { type Change, createDecoder } from "./pgoutput.ts";

export interface Capture {
  /** Waits for a batch of changes, oldest first. Rejects after the stream has ended. */
  take(): Promise<Change[]>;
  close(): Promise<void>;
}

// The check holds the rows of a batch in memory.
const maxBatch = 100;
const maxQueue = 10_000;

/**
 * Streams publication supabase_realtime in commit order. The slot is temporary, so that it retains
 * no WAL after a kill. postgres.js' own `subscribe` dies on a failed reconnect and parses values.
 */
export async function openCapture(database: Database): Promise<Capture> {
  const sql = postgres({
    ...database.connectionOptions("supabase_replication_admin"),
    max: 1,
    fetch_types: false,
    idle_timeout: 0,
    max_lifetime: null,
    connection: { replication: "database" },
  } as Parameters<typeof postgres>[0] & object);
  try {
    const stream = await startStream(sql);
    return readStream(stream, sql);
  } catch (error) {
    await sql.end({ timeout: 0 });
    throw error;
  }
}

async function startStream(sql: Sql): Promise<Duplex> {
  const slot = `realtime_${randomBytes(8).toString("hex")}`;
  await sql.unsafe(
    `CREATE_REPLICATION_SLOT ${slot} TEMPORARY LOGICAL pgoutput (SNAPSHOT 'nothing')`,
  );
  const stream = await sql
    .unsafe(
      `START_REPLICATION SLOT ${slot} LOGICAL 0/0 (proto_version '1', publication_names 'supabase_realtime')`,
    )
    .writable();
  return stream as Duplex;
}

function readStream(stream: Duplex, sql: Sql): Capture {
  const decode = createDecoder();
  const queue: Change[] = [];
  let failure: Error | undefined;
  let wake: (() => void) | undefined;

  const fail = (error: Error) => {
    failure ??= error;
    wake?.();
  };
  // Each 'data' event is one message. Async iteration would concatenate them.
  stream.on("data", (message: Buffer) => {
    try {
      const change = read(message);
      if (!change) {
        return;
      }
      queue.push(change);
      if (queue.length > maxQueue) {
        stream.pause();
      }
      wake?.();
    } catch (error) {
      fail(error as Error);
    }
  });
  stream.on("error", fail);
  stream.on("close", () => fail(new Error("The change stream ended")));

  function read(message: Buffer): Change | undefined {
    if (String.fromCharCode(message.readUInt8(0)) !== "k") {
      return decode(message.subarray(25));
    }
    if (message[17] === 1) {
      stream.write(standbyStatus(message.subarray(1, 9)));
    }
    return undefined;
  }

  return {
    async take() {
      if (queue.length === 0 && !failure) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      wake = undefined;
      if (failure) {
        throw failure;
      }
      const changes = queue.splice(0, maxBatch);
      if (stream.isPaused() && queue.length <= maxQueue) {
        stream.resume();
      }
      return changes;
    },
    async close() {
      fail(new Error("The change stream was closed"));
      await sql.end({ timeout: 0 });
    },
  };
}

/** A "Standby status update" (PostgreSQL, "Streaming Replication Protocol"): all is flushed. */
function standbyStatus(position: Buffer): Buffer {
  const status = Buffer.alloc(34);
  status.write("r", 0, "latin1");
  for (const at of [1, 9, 17]) {
    position.copy(status, at);
  }
  status.writeBigInt64BE(BigInt(Date.now() - Date.UTC(2000, 0, 1)) * 1000n, 25);
  return status;
}
