import { randomBytes } from "node:crypto";
import { type Duplex } from "node:stream";
import postgres, { type Sql } from "postgres";
import { type Database } from "../database.ts";
import { type Change, createDecoder } from "./pgoutput.ts";

export interface Capture {
  /** Waits for changes; gives what has arrived, oldest first. Rejects when the stream ended. */
  take(): Promise<Change[]>;
  close(): Promise<void>;
}

/** What `take` gives at most; one change may be larger. */
const BATCH_CHANGES = 100;
const BATCH_BYTES = 2 * 1024 * 1024;
/** Beyond this the reading pauses, and Postgres keeps the rest. */
const QUEUE_BYTES = 16 * 1024 * 1024;

/**
 * Streams the committed changes of publication supabase_realtime, transaction by transaction in
 * commit order, from the moment it resolves. The slot is temporary: it goes with the connection,
 * so nothing holds back WAL after a kill. postgres.js supplies the connection; its own
 * `subscribe` is not used: it dies on a failed reconnect and parses values to JavaScript types.
 */
export async function openCapture(database: Database): Promise<Capture> {
  const sql = postgres({
    ...database.connectionOptions("supabase_replication_admin"),
    max: 1,
    fetch_types: false,
    idle_timeout: 0,
    max_lifetime: null,
    // The values are cast back by sessions with the same settings.
    connection: {
      replication: "database",
      TimeZone: "UTC",
      DateStyle: "ISO, YMD",
      IntervalStyle: "postgres",
      extra_float_digits: 1,
      bytea_output: "hex",
    },
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
  const started = sql
    .unsafe(
      `START_REPLICATION SLOT ${slot} LOGICAL 0/0 (proto_version '1', publication_names 'supabase_realtime')`,
    )
    .writable();
  return (await started) as unknown as Duplex;
}

function readStream(stream: Duplex, sql: Sql): Capture {
  const decode = createDecoder();
  const queue: Change[] = [];
  let queuedBytes = 0;
  let failure: Error | undefined;
  let wake: (() => void) | undefined;

  const fail = (error: Error) => {
    failure ??= error;
    wake?.();
  };
  // Every 'data' event is one message: postgres.js pushes them one by one, and a flowing stream
  // hands its buffers out one at a time. Async iteration would join them.
  stream.on("data", (message: Buffer) => {
    try {
      if (message[0] === 0x6b /* k */) {
        if (message[17] === 1) {
          stream.write(standbyStatus(message.subarray(1, 9)));
        }
        return;
      }
      const change = decode(message.subarray(25));
      if (!change) {
        return;
      }
      queue.push(change);
      queuedBytes += change.bytes;
      if (queuedBytes > QUEUE_BYTES) {
        stream.pause();
      }
      wake?.();
    } catch (error) {
      fail(error as Error);
    }
  });
  stream.on("error", fail);
  stream.on("close", () => fail(new Error("The change stream ended")));

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
      let count = 0;
      let bytes = 0;
      for (const change of queue.slice(0, BATCH_CHANGES)) {
        if (count > 0 && bytes + change.bytes > BATCH_BYTES) {
          break;
        }
        count += 1;
        bytes += change.bytes;
      }
      queuedBytes -= bytes;
      const changes = queue.splice(0, count);
      if (stream.isPaused() && queuedBytes <= QUEUE_BYTES) {
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

/**
 * "Standby status update": all before the position is done with, so its WAL may go. Nothing is
 * ever read again from a temporary slot, so what has arrived counts as done.
 */
function standbyStatus(position: Buffer): Buffer {
  const status = Buffer.alloc(34);
  status.write("r", 0, "latin1");
  for (const at of [1, 9, 17]) {
    position.copy(status, at);
  }
  status.writeBigInt64BE(BigInt(Date.now() - Date.UTC(2000, 0, 1)) * 1000n, 25);
  return status;
}
