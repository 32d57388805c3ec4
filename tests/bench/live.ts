import { newAddress } from "#tests/support/address.ts";
import { newCredentials } from "#tests/support/credentials.ts";
import { openTab } from "#tests/support/live.ts";
import { type LoadOptions, runLoad } from "#tests/support/realtime/load.ts";
import { openDirect } from "./direct.ts";
import { milliseconds, type Outcome } from "./measure.ts";
import { startSite, tempFolder } from "./servers.ts";
import { signIn, signUp } from "./visitors.ts";

const tabs = 500;
const devices = 5;
const insertsPerSecond = 50;
const seconds = 60;

/** Opens one account's inbox in 500 tabs while 50 messages a second arrive for a minute. */
export default async function measureLive(): Promise<Outcome> {
  await using data = await tempFolder();
  await using site = await startSite(data.path);
  await using direct = await openDirect(data.path, 4);
  const account = newCredentials();
  const cookies = [await signUp(site.url, account)];
  while (cookies.length < devices) {
    cookies.push(await signIn(site.url, account));
  }
  const ask = (count: number, during: number) =>
    runLoad({
      subscribers: Array.from({ length: count }, (_, index) =>
        tabOf(site.url, cookies[index % devices] ?? ""),
      ),
      insertsPerSecond,
      seconds: during,
      insert: direct.insert,
    });
  const alone = await ask(1, 10);
  const crowd = await ask(tabs, seconds);
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
    note: `${seconds} s, through the site's own process. The tabs belong to one account on ${devices} devices. "From commit" starts when the insert was answered.`,
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
    ],
  };
}

function tabOf(url: string, cookie: string): LoadOptions["subscribers"][number] {
  return async (onMessage) => {
    const { socket, status, closed } = openTab({ url }, { cookie, address: newAddress() });
    const code = await status;
    if (code !== 101) {
      throw new Error(`A tab was refused: status ${code}`);
    }
    socket.on("message", (frame) => {
      const text = String(frame);
      if (text !== "") {
        onMessage(JSON.parse(text).message);
      }
    });
    return () => {
      socket.close();
      return closed;
    };
  };
}
