import { setTimeout as sleep } from "node:timers/promises";
import { newAddress } from "#tests/support/address.ts";
import { openTab } from "#tests/support/live.ts";

/** An open board like a browser's: receives live messages, reloads when some may be missing. */
export interface Board {
  /** Returns how often a frame or a closed socket made it reload. */
  reloads(): number;
  /**
   * Returns the texts that it should show and does not.
   * @param stored all texts, oldest first
   */
  missing(stored: string[]): string[];
  close(): Promise<void>;
}

const retryMs = 500;
/** Matches the drill's message texts in a page. */
const pattern = /drill \d+/g;

/** Opens a board. Resolves when it receives live messages. */
export async function openBoard(site: { url: string }, cookie: string): Promise<Board> {
  const received = new Set<string>();
  const pages: string[][] = [];
  const closing = new AbortController();
  const isOpen = Promise.withResolvers<void>();
  let reloads = 0;
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
          reloads += 1;
          reads.push(read());
        }
        for (const text of frame.match(pattern) ?? []) {
          received.add(text);
        }
      });
      // A failed connection has no status, so `closed` settles first.
      if ((await Promise.race([tab.status, tab.closed])) === 101) {
        await read();
        isOpen.resolve();
        await tab.closed;
        reloads += closing.signal.aborted ? 0 : 1;
      }
      await pause();
    }
  }
  const listening = listen();
  await isOpen.promise;
  return {
    reloads: () => reloads,
    missing(stored) {
      const order = new Map(stored.map((text, index) => [text, index]));
      // Messages older than the loaded pages are on later pages.
      const oldest = pages.map((page) => Math.min(...page.map((text) => order.get(text) ?? 0)));
      const from = Math.max(0, ...oldest.filter(Number.isFinite));
      const shown = new Set([...received, ...pages.flat()]);
      return stored.slice(from).filter((text) => !shown.has(text));
    },
    async close() {
      closing.abort();
      socket?.terminate();
      await Promise.all([listening, ...reads]);
    },
  };
}
