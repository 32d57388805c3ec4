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
const closeTimeoutMs = 3_000;

export interface OpenNotifications extends Notifications {
  /** Waits up to three seconds for notifications in flight, then aborts them. */
  close(): Promise<void>;
}

const takenSchema = z.array(
  z.object({
    batch: z.string(),
    locked_until: z.string(),
    recipient: z.string().nullable(),
    messages: z.number(),
    newest: z.array(notifiedSchema),
  }),
);

/** Starts a worker for each configured channel. */
export function openNotifications(
  { callAsSite }: Pick<Backend, "callAsSite">,
  channels: Channels,
): OpenNotifications {
  const ending = new AbortController();
  let failed = 0;

  async function sendNext(channel: NotificationChannel, send: Send) {
    const [taken] = takenSchema.parse(
      await callAsSite("take_notifications", { for_channel: channel }),
    );
    if (!taken) {
      return;
    }
    const { batch: id, locked_until: until, recipient: to, messages, newest } = taken;
    const result = await sendWithin(send, { id, to, messages, newest }, sendWithinMs);
    await settle(channel, until, messages, result);
  }

  const sendWithin = (send: Send, notification: Notification, ms: number) =>
    send(notification, AbortSignal.any([ending.signal, AbortSignal.timeout(ms)]));

  /** Logs and stores a result. @param until null of a test, which announces no messages */
  async function settle(
    channel: NotificationChannel,
    until: string | null,
    messages: number,
    result: SendResult,
  ) {
    if (result.isSent) {
      log.info("A notification was sent", { channel, messages });
    } else {
      failed += 1;
      const { fault, reply } = result;
      log.warn("A notification was not sent", { channel, messages, fault, reply });
    }
    const { isSent, ...reason } = result;
    const args = { for_channel: channel, taken_until: until, is_sent: isSent, ...reason };
    await callAsSite("settle_notification", args);
  }

  const workers = Array.from(channels, ([channel, send]) =>
    startWorker(() => attempt(() => sendNext(channel, send))),
  );

  return {
    channels: Array.from(channels.keys()),
    failed: () => failed,
    wake: () => workers.forEach((worker) => worker.wake()),
    async test(channel, to) {
      const send = channels.get(channel);
      if (!send) {
        return { isSent: false, fault: "other" };
      }
      const test: Notification = { id: randomUUID(), to, messages: 0, newest: [] };
      const result = await sendWithin(send, test, testWithinMs);
      await settle(channel, null, 0, result);
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

/** Runs work that may fail with the database. */
const attempt = (work: () => Promise<void>): Promise<void> =>
  work().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : "no Error";
    log.often("error", "The notifications of new messages wait for the database", { reason });
  });
