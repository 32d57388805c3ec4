import { setTimeout as sleep } from "node:timers/promises";
import { newAddress } from "#tests/support/address.ts";
import { openTab } from "#tests/support/live.ts";

/** A board as a browser has it: it hears messages, and reads the page when some may be missing. */
export interface Board {
  /** How often it was told to read the page again, by a frame or by a closed socket. */
  told(): number;
  /**
   * What it should show and does not.
   * @param stored all texts, oldest first
   */
  missing(stored: string[]): string[];
  close(): Promise<void>;
}

const retryMs = 500;
/** Texts of the drill, which no page has but as messages. */
const pattern = /(?:drill|soak) \d+/g;

/** Opens a board and fulfils when it hears messages. */
export async function openBoard(site: { url: string }, cookie: string): Promise<Board> {
  const heard = new Set<string>();
  const pages: string[][] = [];
  const closing = new AbortController();
  const isOpen = Promise.withResolvers<void>();
  let told = 0;
  let socket: ReturnType<typeof openTab>["socket"] | undefined;

  const pause = () => sleep(retryMs, undefined, { signal: closing.signal }).catch(() => undefined);
  async function read() {
    while (!closing.signal.aborted) {
      const headers = { cookie, "X-Forwarded-For": newAddress() };
      const answer = await fetch(`${site.url}/admin`, { headers }).catch(() => undefined);
      const html = await answer?.text().catch(() => undefined);
      if (answer?.ok && html !== undefined) {
        pages.push(html.match(pattern) ?? []);
        return;
      }
      await pause();
    }
  }
  const reads: Promise<void>[] = [];
  async function listen() {
    while (!closing.signal.aborted) {
      const tab = openTab(site, { cookie, address: newAddress() });
      socket = tab.socket;
      tab.socket.on("message", (data) => {
        const frame = String(data);
        if (frame === "null") {
          told += 1;
          reads.push(read());
        }
        for (const text of frame.match(pattern) ?? []) {
          heard.add(text);
        }
      });
      // The first of them: a connection that fails has no status.
      if ((await Promise.race([tab.status, tab.closed])) === 101) {
        await read();
        isOpen.resolve();
        await tab.closed;
        told += closing.signal.aborted ? 0 : 1;
      }
      await pause();
    }
  }
  const listening = listen();
  await isOpen.promise;
  return {
    told: () => told,
    missing(stored) {
      const order = new Map(stored.map((text, index) => [text, index]));
      // What is older than all that a page shows is on the pages after it.
      const oldest = pages.map((page) => Math.min(...page.map((text) => order.get(text) ?? 0)));
      const from = Math.max(0, ...oldest.filter(Number.isFinite));
      const shown = new Set([...heard, ...pages.flat()]);
      return stored.slice(from).filter((text) => !shown.has(text));
    },
    async close() {
      closing.abort();
      socket?.terminate();
      await Promise.all([listening, ...reads]);
    },
  };
}
