import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { log } from "#app/lib/log.server.ts";
import type {
  Backend,
  NotificationChannel,
  Notifications,
  SendResult,
} from "#app/site-contract.server.ts";
import type { Channels } from "./channels.ts";
import { type Notification, notifiedSchema, type Send } from "./notification.ts";
import { startWorker } from "./worker.ts";

// Shorter than the lease of take_notifications, which is two minutes.
const sendWithinMs = 90_000;
// Shorter than a form's deadline of 10 s (session/service-calls.server.ts).
const testWithinMs = 8_000;
const settlePausesMs = [1_000, 5_000, 15_000];
const closeTimeoutMs = 3_000;

export interface OpenNotifications extends Notifications {
  /** Waits up to three seconds for notifications in flight, then aborts them. */
  close(): Promise<void>;
}

const takenSchema = z.array(
  z.object({
    batch: z.string(),
    recipient: z.string().nullable(),
    messages: z.number(),
    newest: z.array(notifiedSchema),
  }),
);

/** Registers the configured channels in the database and starts a worker for each of them. */
export async function openNotifications(
  { callAsSite }: Pick<Backend, "callAsSite">,
  channels: Channels,
): Promise<OpenNotifications> {
  const ending = new AbortController();
  let isAnnounced = false;
  let failed = 0;
  const attempt = loggingFirstFault();

  async function announce() {
    if (!isAnnounced) {
      await callAsSite("set_notification_channels", { channels: Array.from(channels.keys()) });
      isAnnounced = true;
    }
  }

  async function sendNext(channel: NotificationChannel, send: Send) {
    await announce();
    const [taken] = takenSchema.parse(
      await callAsSite("take_notifications", { for_channel: channel }),
    );
    if (!taken) {
      return;
    }
    const { batch: id, recipient: to, messages, newest } = taken;
    const result = await sendWithin(send, { id, to, messages, newest }, sendWithinMs);
    logResult(channel, messages, result);
    failed += Number(result.outcome !== "sent");
    // A send that the shutdown aborted is not settled: its lease expires, and it is sent again.
    if (!ending.signal.aborted || result.outcome !== "unknown") {
      await settle(callAsSite, { channel, batch: id }, result);
    }
  }

  const sendWithin = (send: Send, notification: Notification, ms: number) =>
    send(notification, AbortSignal.any([ending.signal, AbortSignal.timeout(ms)]));

  await attempt(announce);
  const workers = Array.from(channels, ([channel, send]) =>
    startWorker(() => attempt(() => sendNext(channel, send))),
  );

  return {
    failed: () => failed,
    wake: () => workers.forEach((worker) => worker.wake()),
    async test(channel, to) {
      const send = channels.get(channel);
      if (!send) {
        return { outcome: "refused", fault: "other" };
      }
      const test: Notification = { id: randomUUID(), to, messages: 0, newest: [] };
      const result = await sendWithin(send, test, testWithinMs);
      logResult(channel, 0, result);
      failed += Number(result.outcome !== "sent");
      await settle(callAsSite, { channel, batch: null }, result);
      workers.forEach((worker) => worker.wake());
      return result;
    },
    async close() {
      setTimeout(() => ending.abort(), closeTimeoutMs).unref();
      const stopped = Promise.all(workers.map((worker) => worker.stop()));
      await Promise.race([stopped, sleep(closeTimeoutMs + 500, undefined, { ref: false })]);
    },
  };
}

/** Returns a function that runs `work`, and logs the first fault of each outage of the database. */
function loggingFirstFault(): (work: () => Promise<void>) => Promise<void> {
  let wasLogged = false;
  return async (work) => {
    try {
      await work();
      wasLogged = false;
    } catch (error) {
      if (!wasLogged) {
        wasLogged = true;
        const reason = error instanceof Error ? error.message : "no Error";
        log.error("The notifications of new messages wait for the database", { reason });
      }
    }
  };
}

/** Retries for longer than a restart of the database takes: unsettled notifications are sent again. */
async function settle(
  callAsSite: Backend["callAsSite"],
  { channel, batch }: { channel: NotificationChannel; batch: string | null },
  { outcome, ...reason }: SendResult,
): Promise<void> {
  const args = { for_channel: channel, of_batch: batch, result: outcome, ...reason };
  for (const pauseMs of settlePausesMs) {
    const isDone = await callAsSite("settle_notification", args).then(
      () => true,
      () => false,
    );
    if (isDone) {
      return;
    }
    await sleep(pauseMs, undefined, { ref: false });
  }
  await callAsSite("settle_notification", args);
}

function logResult(channel: NotificationChannel, messages: number, result: SendResult): void {
  if (result.outcome === "sent") {
    log.info("A notification was sent", { channel, messages });
  } else {
    const { outcome, fault, reply } = result;
    log.warn("A notification was not sent", { channel, messages, outcome, fault, reply });
  }
}
