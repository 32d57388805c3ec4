import { once } from "node:events";
import { Agent, type IncomingMessage, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { text as allText } from "node:stream/consumers";
import { expect, test } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { raw } from "#tests/support/raw-request.ts";
import { startSite } from "#tests/support/site.ts";
import { useSite } from "#tests/support/use-site.ts";
import { Visitor, ask } from "#tests/support/visitor.ts";

const site = useSite();

/** Requests in one write; after the last one the connection ends. */
const requests = (targets: string[]) =>
  Buffer.from(
    targets
      .map((target, index) => {
        const isLast = index === targets.length - 1;
        const connection = isLast ? "close" : "keep-alive";
        return `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n\r\n`;
      })
      .join(""),
  );

const statusesOf = (answers: string) => answers.match(/(?<=HTTP\/1\.1 )\d+/g) ?? [];

test("a few pipelined requests are all answered, in order", async () => {
  const targets = Array.from({ length: 30 }, (_, index) => (index % 3 ? "/?x" : "/nothing"));
  const expected = targets.map((target) => (target === "/?x" ? "200" : "404"));
  expect(statusesOf(await raw(site, requests(targets)))).toEqual(expected);
});

test.each(["/", "/?x", "/healthz", "/nothing"])(
  "of 2,000 pipelined requests for %s, at most 100 are processed",
  async (target) => {
    // The connection is cut, perhaps before the first response.
    const answers = await raw(site, requests(Array.from({ length: 2_000 }, () => target))).catch(
      (error: NodeJS.ErrnoException) => (error.code === "ECONNRESET" ? "" : Promise.reject(error)),
    );
    const processed = statusesOf(answers).filter((status) => status !== "503");
    expect(processed.length).toBeLessThanOrEqual(100);
    expect((await ask(site, "GET", "/healthz")).status).toBe(200);
    await expect.poll(() => site.linesWith("limit=requestsOfConnection")).toHaveLength(1);
  },
);

test("beyond 4,000 connections others are cut until some are closed, and the log says so", async () => {
  // A thousandth of them, which any machine opens at once.
  const preload = `import { Server } from "node:net";
    Object.defineProperty(Server.prototype, "maxConnections", {
      get() { return this.most; },
      set(most) { this.most = most / 1000; },
    });`;
  const small = await startSite({
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}`,
  });
  const open = () =>
    connect(Number(new URL(small.url).port), "127.0.0.1")
      .on("error", () => undefined)
      .resume();
  const sockets = Array.from({ length: 4 }, open);
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  await once(open(), "close");
  await expect.poll(() => small.linesWith("limit=connections")).toHaveLength(1);
  sockets.forEach((socket) => socket.destroy());
  const status = () => ask(small, "GET", "/healthz").then((answer) => answer.status);
  await expect.poll(() => status().catch(() => 0)).toBe(200);
  await small.stop();
});

const pages = ["/admin", "/auth?next=/account"];

interface Flood {
  connections: number;
  path: string;
  /** Of a form. Without it pages are requested. */
  body?: string;
  origin?: string;
  /** The address of a connection. */
  addressOf(connection: number): string;
  statuses: number[];
}

const shared = newAddress();
const ofOne = () => shared;
/** Each connection has a /64 of its own. */
const ofNetwork = (connection: number) => `2001:db8:7:${connection.toString(16)}::1`;
const largeForm = `name=x&email=x&message=${"x".repeat(60_000)}`;

/** Asks over a kept connection. */
async function askOver(
  agent: Agent,
  { path, body, origin = site.url, addressOf }: Flood,
  name: number,
) {
  const headers = {
    Accept: "text/html",
    Origin: origin,
    "Content-Type": "application/x-www-form-urlencoded",
    "X-Forwarded-For": addressOf(name),
  };
  const method = body === undefined ? "GET" : "POST";
  const target = `${site.url}${path}${name}-${Math.random()}`;
  const request = httpRequest(target, { method, headers, agent }).end(body);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const { statusCode: status = 0, headers: given } = response;
  return { status, wait: given["retry-after"], text: await allText(response) };
}

test.each<[what: string, flood: Flood]>([
  [
    "of one address that post forms",
    {
      connections: 120,
      path: "/auth/forgot?",
      body: "email=wrong",
      addressOf: ofOne,
      statuses: [400],
    },
  ],
  [
    "of one address that post large forms of another site",
    {
      connections: 100,
      path: "/?",
      body: largeForm,
      origin: "https://evil.example",
      addressOf: ofOne,
      statuses: [403],
    },
  ],
  [
    "of one address that request rendered pages",
    { connections: 120, path: "/?next=", addressOf: ofOne, statuses: [200, 503] },
  ],
  [
    "of one IPv6 /48 that request rendered pages",
    { connections: 300, path: "/?next=", addressOf: ofNetwork, statuses: [200] },
  ],
])("connections %s take no page from another", async (_, flood) => {
  const agent = new Agent({ keepAlive: true, maxSockets: flood.connections });
  const over = new AbortController();
  const flooded = new Set<number>();
  let answered = 0;
  const client = async (name: number) => {
    while (!over.signal.aborted) {
      const { status, wait, text } = await askOver(agent, flood, name);
      expect([wait, text.includes("الموقع مشغول الآن")]).toEqual(
        status === 503 ? ["2", true] : [undefined, false],
      );
      flooded.add(status);
      answered += status === 503 ? 0 : 1;
    }
  };
  const all = Promise.all(Array.from({ length: flood.connections }, (__, name) => client(name)));
  /** How many answers of the flood each page waited for: no clock decides. */
  const waits: number[] = [];
  const look = async () => {
    for (const page of Array.from({ length: 5 }, () => pages).flat()) {
      const before = answered;
      const { status } = await new Visitor(site).get(page);
      expect([page, status]).toEqual([page, page === "/admin" ? 302 : 200]);
      waits.push(answered - before);
    }
  };
  await Promise.race([all, look()]).finally(() => over.abort());
  await all;
  agent.destroy();
  expect([...flooded].toSorted()).toEqual(flood.statuses);
  expect(waits.toSorted((a, b) => a - b)[5]).toBeLessThan(60);
});
