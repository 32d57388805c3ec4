import { setTimeout as sleep } from "node:timers/promises";
import { newAddress } from "#tests/support/address.ts";

// Without the empty honeypot field the message would be spam.
const sender = { name: "Drill", email: "drill@example.com", t_extra: "" };
// So that the kills meet requests under way, and the load does not take the processors from the starts.
const pauseMs = 50;
const patienceMs = 10_000;

/** Sends messages through the form without pause. Repeats those that are not confirmed. */
export function startSenders(url: string, count: number) {
  const acknowledged = new Set<string>();
  const stopping = new AbortController();
  let number = 0;
  async function send() {
    while (!stopping.signal.aborted) {
      number += 1;
      const text = `drill ${number}`;
      // The limit is ten messages per address; who repeats one has the same.
      const address = newAddress();
      while (!(await post(url, text, address))) {
        await sleep(pauseMs);
      }
      acknowledged.add(text);
      await sleep(pauseMs);
    }
  }
  const all = Promise.all(Array.from({ length: count }, send));
  return {
    /** Texts that the site confirmed. */
    acknowledged,
    /** Waits until each sender has finished its message. */
    async stop() {
      stopping.abort();
      await all;
    },
  };
}

/** Sends a message. Returns whether the site confirmed it. */
async function post(url: string, message: string, address: string): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { Origin: url, "X-Forwarded-For": address },
      body: new URLSearchParams({ ...sender, message }),
      redirect: "manual",
      signal: AbortSignal.timeout(patienceMs),
    });
    await response.arrayBuffer();
    return response.status === 302;
  } catch {
    return false;
  }
}
