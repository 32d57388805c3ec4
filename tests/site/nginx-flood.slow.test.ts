import { once } from "node:events";
import {
  Agent,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions,
} from "node:http";
import { connect, type Socket } from "node:net";
import { text as allText } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { hasNginx, type RunningNginx, startNginx } from "#tests/support/nginx.ts";
import { freePort, type RunningSite, startSite } from "#tests/support/site.ts";

let port: number;
let site: RunningSite;
let nginx: RunningNginx;
beforeAll(async () => {
  if (hasNginx) {
    port = await freePort();
    site = await startSite({ SITE_URL: `http://localhost:${port}` });
    nginx = await startNginx(site, port);
  }
});
afterAll(async () => {
  await nginx?.stop();
  await site?.stop();
});

const slow: Socket[] = [];
afterEach(() => slow.splice(0).forEach((socket) => socket.destroy()));

interface Client {
  /** The address on this machine that it connects from. */
  from: string;
  /** What 127.0.0.3 says instead of its own address. */
  address?: string;
}

const headersOf = ({ address }: Client): Record<string, string> => ({
  Host: `localhost:${port}`,
  Accept: "text/html",
  Origin: `http://localhost:${port}`,
  "Content-Type": "application/x-www-form-urlencoded",
  ...(address !== undefined && { "X-Address": address }),
});

async function ask(
  client: Client,
  path: string,
  { body, ...options }: RequestOptions & { body?: string } = {},
) {
  const request = httpRequest({
    host: "127.0.0.1",
    localAddress: client.from,
    port,
    path,
    method: body === undefined ? "GET" : "POST",
    agent: false,
    ...options,
    headers: { ...headersOf(client), ...options.headers },
  }).end(body);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const text = await allText(response);
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

/** Begins a form of 100 kB that sends a byte now and then. */
function beginSlowForm(client: Client): void {
  const socket = connect({ host: "127.0.0.1", port, localAddress: client.from });
  slow.push(socket);
  const lines = Object.entries({ ...headersOf(client), "Content-Length": 100_000 });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.write(`POST / HTTP/1.1\r\n${head}\r\nmessage=`);
  const trickle = setInterval(() => socket.write("x"), 200);
  socket
    .on("error", () => undefined)
    .once("close", () => clearInterval(trickle))
    .resume();
}

const other = { from: "127.0.0.2" };

/** How long another visitor waits for the page and for the thanks, in milliseconds. */
async function visit(round: string): Promise<number[]> {
  const body = `name=x&email=x@example.com&message=${encodeURIComponent(`رسالة ${round}`)}`;
  const begin = performance.now();
  expect((await ask(other, "/")).status).toBe(200);
  const between = performance.now();
  expect((await ask(other, "/?index", { body })).status).toBe(302);
  return [between - begin, performance.now() - between];
}

test.runIf(hasNginx)(
  "300 connections and slow forms of one address delay no other visitor",
  async () => {
    const alone = [await visit("alone"), await visit("again")].flat();
    // On a machine that is busy with other work, five times of what it takes there.
    const limit = Math.max(1000, 5 * Math.min(...alone));

    const flooder = { from: "127.0.0.1" };
    const agent = new Agent({ keepAlive: true, maxSockets: 300 });
    const over = new AbortController();
    const statuses = new Map<number, number>();
    const flood = async (name: number) => {
      while (!over.signal.aborted) {
        const { status, text } = await ask(flooder, `/auth?next=/${name}`, { agent });
        expect(text.includes("طلبات كثيرة من شبكتك")).toBe(status === 429);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        // This process asks as the other visitor, too.
        await sleep(status === 429 ? 200 : 0);
      }
    };
    const all = Promise.all(Array.from({ length: 300 }, (_, name) => flood(name)));
    Array.from({ length: 50 }, () => beginSlowForm(flooder));
    const waits: number[][] = [];
    const look = async () => {
      await vi.waitUntil(() => (statuses.get(429) ?? 0) > 300, { timeout: 60_000 });
      for (const round of "12345") {
        waits.push(await visit(round));
      }
    };
    await Promise.race([all, look()]).finally(() => over.abort());
    await all;
    agent.destroy();
    expect([...statuses.keys()].toSorted()).toEqual([200, 429]);
    // Other work on the machine slows some of them, a flood all.
    expect(Math.min(...waits.map(([page = 0]) => page))).toBeLessThan(limit);
    expect(Math.min(...waits.map(([, message = 0]) => message))).toBeLessThan(limit);
  },
  120_000,
);

const of = (address: string) => ({ from: "127.0.0.3", address });

test.runIf(hasNginx)(
  "an IPv6 /64 has 100 connections, its boards and the next have their own",
  async () => {
    Array.from({ length: 100 }, (_, index) => beginSlowForm(of(`2001:db8:1:2::${index}`)));
    const status = async (path: string, address: string) => (await ask(of(address), path)).status;
    await expect.poll(() => status("/", "2001:db8:1:2:ffff::1")).toBe(429);
    expect(await status("/", "2001:db8:1:3::1")).toBe(200);
    const headers = { Connection: "Upgrade", Upgrade: "websocket" };
    const board = await ask(of("2001:db8:1:2::1"), "/admin/live", { headers });
    // The site's own answer to a board without a session.
    expect(board.status).toBe(401);
  },
);

test.runIf(hasNginx)(
  "more requests than a person makes are answered with 429 and a wait",
  async () => {
    const answers = [];
    for (let count = 0; count < 400; count += 1) {
      answers.push(await ask(of("192.0.2.9"), "/livez"));
    }
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.every(({ status }) => status === 429)).toBe(true);
    expect(refused[0]?.headers["retry-after"]).toBe("5");
    // The first hundred, as of a board with many files, pass.
    expect(answers.slice(0, 100).every(({ status }) => status === 200)).toBe(true);
  },
);
