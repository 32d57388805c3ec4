import { setTimeout as sleep } from "node:timers/promises";
import { runLoad } from "../support/realtime/load.ts";
import { milliseconds, type Outcome, treeMegabytes } from "./measure.ts";
import { startSite, tempFolder } from "./servers.ts";
import { insertMessage, randomAddress, readAccess, readSecretKey, signUp } from "./visitors.ts";

const tabs = 500;
const insertsPerSecond = 50;
const seconds = 60;
// As long as the site may take to give back what the load needed.
const settleMs = 15_000;

/** A tab on a machine of its own, as a trusted proxy tells it. */
class VisitorSocket extends WebSocket {
  constructor(address: string | URL) {
    // Node's own WebSocket takes headers where a browser's takes protocols.
    super(address, { headers: { "X-Forwarded-For": randomAddress() } } as never);
  }
}

/** One owner's inbox open in 500 tabs while 50 messages a second arrive for a minute. */
export default async function measureLive(): Promise<Outcome> {
  await using data = await tempFolder();
  await using site = await startSite(data.path);
  const secretKey = await readSecretKey(data.path);
  const { key, token } = await readAccess(site.url, await signUp(site.url));
  const ask = (count: number, during: number) =>
    runLoad({
      url: site.url,
      apikey: key,
      tokens: Array.from({ length: count }, () => token),
      insertsPerSecond,
      seconds: during,
      transport: VisitorSocket,
      insert: (message) => insertMessage(site.url, secretKey, message),
    });
  const alone = await ask(1, 10);
  await sleep(settleMs);
  const before = await treeMegabytes(site.pid);
  const crowd = await ask(tabs, seconds);
  const during = await treeMegabytes(site.pid);
  await sleep(settleMs);
  const after = await treeMegabytes(site.pid);
  const row = (name: string, { sinceCommit, sinceInsert, expected, complete }: typeof crowd) => ({
    "open inboxes": name,
    events: String(expected),
    lost: complete ? "0" : "**some**",
    "p50 from commit": milliseconds(sinceCommit.p50),
    p95: milliseconds(sinceCommit.p95),
    "p95 from sending the insert": milliseconds(sinceInsert.p95),
  });
  return {
    title: `Live: ${insertsPerSecond} messages a second`,
    note: `${seconds} s, over the site's own process and the official client; all tabs are one account's. From commit is from when the insert's answer had come. Memory ${before.toFixed(0)} MB with no inbox open, ${during.toFixed(0)} MB at the end of the minute with ${tabs} and ${after.toFixed(0)} MB ${settleMs / 1000} s later.`,
    rows: [row("1", alone), row(String(tabs), crowd)],
    budgets: [
      {
        name: "events lost or doubled",
        measured: crowd.complete ? 0 : 1,
        limit: { atMost: 0 },
        unit: "",
      },
      { name: "p95, 1 inbox", measured: alone.sinceCommit.p95, limit: { atMost: 30 }, unit: "ms" },
      {
        name: `p95, ${tabs} inboxes`,
        measured: crowd.sinceCommit.p95,
        limit: { atMost: 250 },
        unit: "ms",
      },
      {
        name: `memory that ${tabs} inboxes left behind`,
        measured: after - before,
        limit: { atMost: 20 },
        unit: "MB",
      },
    ],
  };
}
