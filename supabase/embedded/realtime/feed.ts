import { setTimeout as sleep } from "node:timers/promises";
import { type Capture, openCapture } from "./capture.ts";
import { deliver, type DeliveryOptions } from "./delivery.ts";

export interface Feed {
  /** Whether changes that commit from now on will be delivered. */
  isActive(): boolean;
  close(): Promise<void>;
}

const retryDelaysMs = [100, 500, 1_000, 2_000];
const lastRetryDelayMs = 5_000;

/**
 * Delivers committed changes to `subscriptions` until closed. Rejects if the first connection fails.
 * After a lost connection it reconnects and fails them all: clients join again and reload.
 */
export async function startFeed(options: DeliveryOptions): Promise<Feed> {
  const { database, subscriptions, log } = options;
  const closing = new AbortController();
  let capture: Capture | undefined = await openCapture(database);

  const run = async () => {
    while (!closing.signal.aborted) {
      capture ??= await reopen(options, closing.signal);
      const fault = capture && (await deliverAll(capture, options));
      capture?.close();
      capture = undefined;
      if (!closing.signal.aborted) {
        log.warn("Realtime lost the stream of changes and reconnects", { code: codeOf(fault) });
        for (const subscription of subscriptions) {
          subscription.fail("The connection to the database was lost");
        }
      }
    }
  };
  const ended = run();

  return {
    isActive: () => capture !== undefined,
    async close() {
      closing.abort();
      capture?.close();
      await ended;
    },
  };
}

/** Returns the fault that ends the delivery. */
async function deliverAll(capture: Capture, options: DeliveryOptions): Promise<unknown> {
  try {
    while (true) {
      await deliver(await capture.take(), options);
    }
  } catch (error) {
    return error;
  }
}

async function reopen(
  { database, log }: DeliveryOptions,
  signal: AbortSignal,
): Promise<Capture | undefined> {
  for (let failures = 0; ; failures += 1) {
    const delayMs = retryDelaysMs[failures] ?? lastRetryDelayMs;
    await sleep(delayMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) {
      return undefined;
    }
    try {
      const capture = await openCapture(database);
      if (signal.aborted) {
        capture.close();
        return undefined;
      }
      log.warn("Realtime is connected again");
      return capture;
    } catch (error) {
      log.warn("Realtime cannot connect to the database", { code: codeOf(error) });
    }
  }
}

/** Returns the code only: messages of database errors can contain rows. */
function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(code ?? name);
}
