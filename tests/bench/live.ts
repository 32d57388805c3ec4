import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { newAddress } from "#tests/support/address.ts";
import { newCredentials } from "#tests/support/credentials.ts";
import { tempFolder } from "#tests/support/folder.ts";
import { openTab } from "#tests/support/live.ts";
import { openDirect } from "./direct.ts";
import { type Outcome, quantile, treeProcessorSeconds } from "./measure.ts";
import { type Running, startSite } from "./servers.ts";
import { signIn, signUp } from "./visitors.ts";

const tabs = 500;
const devices = 5;
const insertsPerSecond = 5;
const seconds = 60;

/** Opens one account's inbox in 500 tabs while 5 messages a second arrive for a minute. */
export default async function measureLive(): Promise<Outcome> {
  await using data = await tempFolder();
  await using site = await startSite(data.path);
  await using direct = await openDirect(data.path, 4);
  const account = newCredentials();
  const cookies = [await signUp(site.url, account)];
  while (cookies.length < devices) {
    cookies.push(await signIn(site.url, account));
  }
  const alone = await measure(site, cookies.slice(0, 1), 10, direct.insert);
  const all = Array.from({ length: tabs }, (_, index) => cookies[index % devices] ?? "");
  const crowd = await measure(site, all, seconds, direct.insert);
  const events = tabs * insertsPerSecond * seconds;
  return {
    title: `Live: ${insertsPerSecond} messages a second`,
    note: `${seconds} s, through the site's own process; its processor is that of Node and PostgreSQL. The tabs belong to one account on ${devices} devices. Latency starts when the insert was answered.`,
    figures: [
      { name: "p95, 1 inbox", value: alone.p95, unit: "ms", atMost: 30 },
      { name: `p95, ${tabs} inboxes`, value: crowd.p95, unit: "ms", atMost: 250 },
      { name: `processor, ${tabs} inboxes`, value: crowd.load, unit: "% of a core" },
      { name: `lost or repeated of ${events} events`, value: crowd.wrong, unit: "", atMost: 0 },
    ],
  };
}

/** Opens a tab for each cookie, inserts at a constant rate, and measures when the tabs hear of it. */
async function measure(
  { url, pid }: Pick<Running, "url" | "pid">,
  cookies: string[],
  during: number,
  insert: (message: string) => Promise<unknown>,
) {
  // `heard` counts the arrivals per tab, as bytes, because there are millions.
  const sent = new Map<string, { committed: number; heard: Uint8ClampedArray }>();
  const arrivals: { message: string; at: number }[] = [];
  const opened = cookies.map((cookie, index) => {
    const tab = openTab({ url }, { cookie, address: newAddress() });
    tab.socket.on("message", (frame) => {
      const { message }: { message?: string } = JSON.parse(String(frame) || "{}");
      const heard = sent.get(message ?? "")?.heard;
      if (message !== undefined && heard) {
        heard[index] = (heard[index] ?? 0) + 1;
        arrivals.push({ message, at: performance.now() });
      }
    });
    return tab;
  });
  for (const { status } of opened) {
    if ((await status) !== 101) {
      throw new Error(`A tab was refused: status ${await status}`);
    }
  }
  const total = insertsPerSecond * during;
  const usedBefore = await treeProcessorSeconds(pid);
  const startedAt = performance.now();
  const inserts: Promise<unknown>[] = [];
  for (let count = 0; count < total; count += 1) {
    const due = startedAt + (count * 1000) / insertsPerSecond;
    await sleep(Math.max(0, due - performance.now()));
    const message = randomUUID();
    const entry = { committed: 0, heard: new Uint8ClampedArray(cookies.length) };
    sent.set(message, entry);
    inserts.push(insert(message).then(() => (entry.committed = performance.now())));
  }
  await Promise.all(inserts);
  const deadline = performance.now() + 10_000;
  while (arrivals.length < total * cookies.length && performance.now() < deadline) {
    await sleep(10);
  }
  const used = (await treeProcessorSeconds(pid)) - usedBefore;
  const load = (used * 100_000) / (performance.now() - startedAt);
  // A repeated event would arrive now.
  await sleep(200);
  for (const { socket } of opened) {
    socket.close();
  }
  await Promise.all(opened.map(({ closed }) => closed));
  const latencies = arrivals.map(({ message, at }) =>
    Math.max(0, at - (sent.get(message)?.committed ?? 0)),
  );
  const wrong = [...sent.values()].map(({ heard }) => heard.filter((count) => count !== 1).length);
  return {
    p95: quantile(latencies, 0.95),
    wrong: wrong.reduce((sum, count) => sum + count, 0),
    load,
  };
}
