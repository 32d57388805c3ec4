import { randomBytes } from "node:crypto";
import type { Database } from "#embedded/database.ts";
import { CopyStream } from "#embedded/engine/copy-stream.ts";
import { disconnect, openClient } from "#embedded/sql.ts";
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
  let isPaused = false;

  const fail = (error: Error) => {
    failure ??= error;
    wake?.();
  };

  function read(message: Buffer): Change | undefined {
    if (String.fromCharCode(message.readUInt8(0)) !== "k") {
      return decode(message.subarray(25));
    }
    if (message[17] === 1) {
      stream.send(standbyStatus(message.subarray(1, 9)));
    }
    return undefined;
  }

  const slot = `realtime_${randomBytes(8).toString("hex")}`;
  const stream = new CopyStream(
    `START_REPLICATION SLOT ${slot} LOGICAL 0/0 (proto_version '1', publication_names 'supabase_realtime')`,
    (message) => {
      try {
        const change = read(message);
        if (!change) {
          return;
        }
        queue.push(change);
        if (queue.length > maxQueue && !isPaused) {
          isPaused = true;
          stream.pause();
        }
        wake?.();
      } catch (error) {
        fail(error as Error);
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
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      wake = undefined;
      if (failure) {
        throw failure;
      }
      const changes = queue.splice(0, maxBatch);
      if (isPaused && queue.length <= maxQueue) {
        isPaused = false;
        stream.resume();
      }
      return changes;
    },
    async close() {
      fail(new Error("The change stream was closed"));
      disconnect(client);
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
