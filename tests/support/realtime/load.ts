import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";

/** Times in milliseconds. */
export interface Latency {
  count: number;
  p50: number;
  p95: number;
  max: number;
}

export interface LoadOptions {
  /** Each opens a socket, waits until it receives messages, and resolves to its close function. */
  subscribers: ((onMessage: (message: string) => void) => Promise<() => unknown>)[];
  insertsPerSecond: number;
  seconds: number;
  /** Inserts a contact message. Resolves after the commit. */
  insert(message: string): Promise<unknown>;
}

export interface LoadResult {
  /** From the response to the insert to the handler of each subscriber. */
  sinceCommit: Latency;
  /** From the request of the insert to the handler of each subscriber. */
  sinceInsert: Latency;
  expected: number;
  /** Whether each subscriber received each insert once. */
  complete: boolean;
  /** CPU of this process, in cores. */
  cores: number;
}

/** `heard` counts the arrivals per subscriber, as numbers, because there are millions. */
interface Sent {
  at: number;
  committed?: number;
  heard: Uint8ClampedArray;
}

/**
 * Opens a socket per subscriber, inserts at a constant rate and measures when the handlers are
 * called. To measure only the server, run it in another process.
 */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { subscribers, insertsPerSecond, seconds, insert } = options;
  const sent = new Map<string, Sent>();
  const arrivals: { entry: Sent; at: number }[] = [];
  const hear = (message: string, subscriber: number) => {
    const entry = sent.get(message);
    if (!entry) {
      return;
    }
    arrivals.push({ entry, at: performance.now() });
    entry.heard[subscriber] = (entry.heard[subscriber] ?? 0) + 1;
  };
  const close = await Promise.all(
    subscribers.map((subscribe, subscriber) => subscribe((message) => hear(message, subscriber))),
  );
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  try {
    const total = insertsPerSecond * seconds;
    const inserts: Promise<unknown>[] = [];
    for (let count = 0; count < total; count += 1) {
      const due = startedAt + (count * 1_000) / insertsPerSecond;
      await sleep(due - performance.now());
      const message = randomUUID();
      const entry: Sent = {
        at: performance.now(),
        heard: new Uint8ClampedArray(subscribers.length),
      };
      sent.set(message, entry);
      inserts.push(insert(message).then(() => (entry.committed = performance.now())));
    }
    await Promise.all(inserts);
    const expected = total * subscribers.length;
    const deadline = performance.now() + 10_000;
    while (arrivals.length < expected && performance.now() < deadline) {
      await sleep(10);
    }
    const { user, system } = process.cpuUsage(cpuBefore);
    const cores = (user + system) / 1_000 / (performance.now() - startedAt);
    // A repeated event would arrive now.
    await sleep(200);
    const since = (start: (entry: Sent) => number) =>
      summarize(arrivals.map((arrival) => Math.max(0, arrival.at - start(arrival.entry))));
    return {
      sinceCommit: since(({ at, committed }) => committed ?? at),
      sinceInsert: since(({ at }) => at),
      expected,
      complete: [...sent.values()].every(({ heard }) => heard.every((count) => count === 1)),
      cores,
    };
  } finally {
    await Promise.all(close.map((end) => end()));
  }
}

/** Returns a subscriber that uses an official client. */
export function officialClient(
  client: Pick<SupabaseClient, "channel" | "realtime">,
): LoadOptions["subscribers"][number] {
  return async (onMessage) => {
    await client.realtime.setAuth();
    await new Promise<void>((resolve, reject) => {
      client
        .channel("contact_messages_changes")
        .on<{ message: string }>(
          "postgres_changes",
          { event: "INSERT", schema: "public", table: "contact_messages" },
          (payload) => onMessage(payload.new.message),
        )
        .subscribe((status, error) => {
          if (status === "SUBSCRIBED") {
            resolve();
          } else {
            reject(error ?? new Error(`A subscriber is ${status}`));
          }
        });
    });
    return () => client.realtime.disconnect();
  };
}

function summarize(values: number[]): Latency {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), max: at(1) };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}
