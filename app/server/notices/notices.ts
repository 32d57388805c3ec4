import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { log } from "#app/lib/log.server.ts";
import type { NoticeWay, Sending } from "#app/lib/notices.ts";
import type { Backend, Notices } from "#app/session/site-context.server.ts";
import type { Notice, Send } from "./notice.ts";
import type { OpenWays } from "./ways.ts";
import { startWorker } from "./worker.ts";

// The database's lease is two minutes.
const sendWithinMs = 90_000;
// An answer to a form is due after ten seconds.
const testWithinMs = 8_000;
const settlePausesMs = [1_000, 5_000, 15_000];
const farewellMs = 3_000;

export interface OpenNotices extends Notices {
  /** Lets the notices that are being sent finish for three seconds. */
  close(): Promise<void>;
}

const takenSchema = z.array(
  z.object({
    batch: z.string(),
    recipient: z.string().nullable(),
    messages: z.number(),
    newest: z.array(
      z.object({
        name: z.string(),
        email: z.string(),
        phone: z.string().nullable(),
        message: z.string(),
        created_at: z.string(),
      }),
    ),
  }),
);

/** Tells the database which ways there are, and sends what it has for them, each on its own. */
export async function openNotices(
  { callAsSite }: Pick<Backend, "callAsSite">,
  { ways, pushKey }: OpenWays,
): Promise<OpenNotices> {
  const ending = new AbortController();
  let isAnnounced = false;
  let wasFaultLogged = false;

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      wasFaultLogged = false;
    } catch (error) {
      if (!wasFaultLogged) {
        wasFaultLogged = true;
        const reason = error instanceof Error ? error.message : "no Error";
        log.error("The notices of new messages wait for the database", { reason });
      }
    }
  }

  async function announce() {
    if (!isAnnounced) {
      await callAsSite("set_notice_ways", { ways: Array.from(ways.keys()) });
      isAnnounced = true;
    }
  }

  async function tell(way: NoticeWay, send: Send) {
    await announce();
    const [taken] = takenSchema.parse(await callAsSite("take_notices", { for_way: way }));
    if (!taken) {
      return;
    }
    const { batch: id, recipient: to, messages, newest } = taken;
    const sending = await sendWithin(send, { id, to, messages, newest }, sendWithinMs);
    logSending(way, messages, sending);
    // Cut off by the stop: its lease runs out, and it is sent again.
    if (!ending.signal.aborted || sending.outcome !== "unknown") {
      await settle(way, id, sending);
    }
  }

  /** Tries longer than a restart of the database takes: else the notice would be sent again. */
  async function settle(way: NoticeWay, batch: string | null, sending: Sending) {
    const args = { for_way: way, of_batch: batch, ...sending };
    for (const pauseMs of settlePausesMs) {
      const isDone = await callAsSite("settle_notice", args).then(
        () => true,
        () => false,
      );
      if (isDone) {
        return;
      }
      await sleep(pauseMs, undefined, { ref: false });
    }
    await callAsSite("settle_notice", args);
  }

  const sendWithin = (send: Send, notice: Notice, ms: number) =>
    send(notice, AbortSignal.any([ending.signal, AbortSignal.timeout(ms)]));

  await attempt(announce);
  const workers = Array.from(ways, ([way, send]) =>
    startWorker(() => attempt(() => tell(way, send))),
  );

  return {
    pushKey,
    wake: () => workers.forEach((worker) => worker.wake()),
    async test(way, to) {
      const send = ways.get(way);
      if (!send) {
        return { outcome: "refused", fault: "other" };
      }
      const test: Notice = { id: randomUUID(), to, messages: 0, newest: [] };
      const sending = await sendWithin(send, test, testWithinMs);
      logSending(way, 0, sending);
      await settle(way, null, sending);
      workers.forEach((worker) => worker.wake());
      return sending;
    },
    async close() {
      setTimeout(() => ending.abort(), farewellMs).unref();
      const stopped = Promise.all(workers.map((worker) => worker.stop()));
      await Promise.race([stopped, sleep(farewellMs + 500, undefined, { ref: false })]);
    },
  };
}

function logSending(way: NoticeWay, messages: number, sending: Sending): void {
  if (sending.outcome === "sent") {
    log.info("A notice was sent", { way, messages });
  } else {
    const { outcome, fault, reply } = sending;
    log.warn("A notice was not sent", { way, messages, outcome, fault, reply });
  }
}
