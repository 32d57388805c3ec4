import { spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  hasNginx,
  nginxEnv,
  type RunningNginx,
  shippedFile,
  startNginx,
  startNginxWith,
} from "#tests/support/nginx.ts";
import { freePort, type RunningSite, startSite } from "#tests/support/site.ts";
import { ask } from "#tests/support/visitor.ts";
import { wholeVisit } from "#tests/support/whole-visit.ts";
import { within } from "#tests/support/within.ts";

const port = await freePort();
const url = `http://localhost:${port}`;
let folder: string;
let site: RunningSite;
let nginx: RunningNginx;
/** Port 80 of the file. */
let plain: string;

const slow: Socket[] = [];

interface Client {
  /** The address on this machine that it connects from. */
  from: string;
  /** The address that 127.0.0.3 sends instead of its own. */
  address?: string;
}

const headersOf = ({ address }: Client): Record<string, string> => ({
  Host: `localhost:${port}`,
  Origin: url,
  "Content-Type": "application/x-www-form-urlencoded",
  ...(address !== undefined && { "X-Address": address }),
});

function askAs(client: Client, path: string, body?: string, more = {}) {
  return ask({ url: `http://127.0.0.1:${port}` }, body === undefined ? "GET" : "POST", path, {
    headers: { ...headersOf(client), ...more },
    localAddress: client.from,
    ...(body !== undefined && { body }),
  });
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

/** Another visitor sends a message. */
async function visit(round: number): Promise<void> {
  const other = { from: "127.0.0.2" };
  const body = `name=x&email=x@example.com&message=${encodeURIComponent(`رسالة ${round}`)}`;
  expect((await askAs(other, "/")).status).toBe(200);
  expect((await askAs(other, "/?index", body)).status).toBe(302);
}

const of = (address: string) => ({ from: "127.0.0.3", address });

const accessLog = () => readFile(join(folder, "access.log"), "utf8");

describe.runIf(hasNginx)("behind nginx", () => {
  beforeAll(async () => {
    site = await startSite({ SITE_URL: url });
    nginx = await startNginx(site, port);
    ({ folder, plain } = nginx);
  });

  afterEach(() => slow.splice(0).forEach((socket) => socket.destroy()));

  afterAll(async () => {
    await nginx?.stop();
    await site?.stop();
  });

  test("all of an account's life works behind nginx with its defaults", async () => {
    await wholeVisit({ url, dataDir: site.dataDir });
    // No buffer was too small: nothing was refused or written to a file.
    expect(await readFile(join(folder, "all.log"), "utf8")).toBe("");
    expect((await ask({ url }, "GET", "/no/such/page")).status).toBe(404);
    // Each visitor has limits of their own.
    expect(site.output()).not.toContain("X-Forwarded-For");
  });

  test("nginx accepts the whole file", async () => {
    const certificate = join(folder, "certificate.pem");
    const key = join(folder, "key.pem");
    const [, ...made] = "openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=your.site".split(" ");
    spawnSync("openssl", [...made, "-keyout", key, "-out", certificate]);
    const file = (await shippedFile())
      .replaceAll(/ *listen \[::\].*;\n/g, "")
      .replaceAll("listen 80;", `listen ${await freePort()};`)
      .replaceAll("listen 443 ", `listen ${await freePort()} `)
      .replaceAll("/etc/letsencrypt/live/your.site/fullchain.pem", certificate)
      .replaceAll("/etc/letsencrypt/live/your.site/privkey.pem", key)
      .replaceAll("/var/log/nginx/", "");
    const whole = join(folder, "whole.conf");
    await writeFile(whole, `pid whole.pid; events {}\nhttp {\n${file}}\n`);
    const { stderr } = spawnSync("nginx", ["-t", "-p", folder, "-c", whole], {
      env: nginxEnv,
      encoding: "utf8",
    });
    expect(stderr).toContain("syntax is ok");
    expect(stderr).toContain("test is successful");
  });

  test("port 80 has certbot's challenges, and redirects all else", async () => {
    const challenge = "/.well-known/acme-challenge/token";
    await mkdir(join(folder, "html/.well-known/acme-challenge"), { recursive: true });
    await writeFile(join(folder, "html", challenge), "proof");
    const answer = await ask({ url: plain }, "GET", challenge);
    expect([answer.status, answer.text]).toEqual([200, "proof"]);
    const other = await ask({ url: plain }, "GET", "/admin?q=1");
    expect([other.status, other.headers.location]).toEqual([301, "https://your.site/admin?q=1"]);
  });

  test("the log of nginx has no search words either", async () => {
    await ask({ url }, "GET", "/admin?q=secret", { headers: { Referer: `${url}/admin?q=secret` } });
    await expect.poll(accessLog).toContain('"GET /admin" 302');
    expect(await accessLog()).not.toContain("secret");
  });

  test.each([
    ["/auth?next=/", 200, "127.0.0.4"],
    ["/admin/live?", 401, "127.0.0.5"],
  ])(
    "300 connections to %s and slow forms of one address delay no other visitor",
    async (path, passed, from) => {
      const flooder = { from };
      const over = new AbortController();
      const statuses: Record<number, number> = { [passed]: 0, 429: 0 };
      const flood = async (name: number) => {
        while (!over.signal.aborted) {
          const { status, text } = await askAs(flooder, `${path}${name}`);
          expect([passed, 429]).toContain(status);
          expect(text.includes("طلبات كثيرة من شبكتك")).toBe(status === 429);
          statuses[status] = (statuses[status] ?? 0) + 1;
          // This process asks as the other visitor, too.
          await sleep(status === 429 ? 2_000 : 0);
        }
      };
      const all = Promise.all(Array.from({ length: 300 }, (_, name) => flood(name)));
      Array.from({ length: 50 }, () => beginSlowForm(flooder));
      const look = async () => {
        await vi.waitUntil(() => Number(statuses[429]) > 300, { timeout: 60_000 });
        for (let round = 0; round < 5; round += 1) {
          // Without other work on the machine it takes milliseconds.
          await within(30, visit(round));
        }
      };
      await Promise.race([all, look()]).finally(() => over.abort());
      await all;
      expect(statuses[passed]).toBeGreaterThan(0);
    },
  );

  test("an IPv6 /56 has 100 connections, its boards and the next have their own", async () => {
    Array.from({ length: 100 }, (_, index) =>
      beginSlowForm(of(`2001:db8:1:2${index.toString(16).padStart(2, "0")}::1`)),
    );
    const status = async (path: string, address: string) => (await askAs(of(address), path)).status;
    // By then the limit of requests, which also counts these, allows some again.
    const seconds = { interval: 3_000, timeout: 60_000 };
    await sleep(3_000);
    await expect.poll(() => status("/", "2001:db8:1:2ff:ffff::1"), seconds).toBe(429);
    expect(await status("/", "2001:db8:1:300::1")).toBe(200);
    const headers = { Connection: "Upgrade", Upgrade: "websocket" };
    const board = await askAs(of("2001:db8:1:200::1"), "/admin/live", undefined, headers);
    // The site's own answer to a board without a session.
    expect(board.status).toBe(401);
  });

  test("many cookies of other programs on the domain keep nobody out", async () => {
    const headers = { Cookie: `other=${"x".repeat(30_000)}` };
    expect((await askAs(of("192.0.2.8"), "/auth", undefined, headers)).status).toBe(200);
  });

  test("behind a CDN each visitor has a limit, and no visitor names another address", async () => {
    const cdn = "127.0.0.7";
    const file = (await shippedFile())
      .replaceAll(/^#(set_real_ip_from|real_ip_header) /gm, "$1 ")
      .replace("173.245.48.0/20", cdn)
      .replaceAll("http://127.0.0.1:3000", site.url.replace("localhost", "127.0.0.1"));
    const behind = await startNginxWith(file, await freePort());
    onTestFinished(behind.stop);
    const send = async (from: string, count: number) => {
      const body = `name=x&email=x@example.com&message=${from}, ${count}`;
      const headers = { ...headersOf({ from }), "CF-Connecting-IP": `198.51.100.${count}` };
      return (await ask(behind, "POST", "/", { localAddress: from, headers, body })).status;
    };
    const statuses = async (from: string) => {
      const all: number[] = [];
      for (let count = 1; count <= 11; count += 1) {
        all.push(await send(from, count));
      }
      return all;
    };
    expect(await statuses(cdn)).toEqual(Array.from({ length: 11 }, () => 302));
    expect((await statuses("127.0.0.8")).at(-1)).toBe(429);
  });

  test("more requests than a person makes are answered with 429 and a wait", async () => {
    const answers = [];
    for (let count = 0; count < 400; count += 1) {
      answers.push(await askAs(of("192.0.2.9"), "/livez"));
    }
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.every(({ status }) => status === 429)).toBe(true);
    expect(refused[0]?.headers["retry-after"]).toBe("5");
    // The first hundred pass, like those of a board with many files.
    expect(answers.slice(0, 100).every(({ status }) => status === 200)).toBe(true);
  });

  test("while the site is down, visitors read that in Arabic, and no log has a query", async () => {
    await site.end("SIGTERM");
    const { status, text } = await ask({ url }, "GET", "/");
    expect(status).toBe(503);
    expect(text).toContain('<html lang="ar" dir="rtl">');
    expect(text).toContain("الموقع يعود بعد لحظات");
    await ask({ url }, "GET", "/receipt?t=secret", { headers: { Referer: `${url}/?sent=secret` } });
    await expect.poll(accessLog).toContain('"GET /receipt" 503');
    expect(await readFile(join(folder, "all.log"), "utf8")).toContain("secret");
    expect(await readFile(join(folder, "error.log"), "utf8")).toBe("");
  });
});
