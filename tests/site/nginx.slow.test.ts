import { spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  hasNginx,
  nginxEnv,
  type RunningNginx,
  shippedFile,
  startNginx,
} from "#tests/support/nginx.ts";
import { freePort, type RunningSite, startSite } from "#tests/support/site.ts";
import { ask } from "#tests/support/visitor.ts";
import { wholeVisit } from "#tests/support/whole-visit.ts";

let folder: string;
let site: RunningSite;
let nginx: RunningNginx;
let url: string;
/** Port 80 of the file. */
let plain: string;

beforeAll(async () => {
  if (!hasNginx) {
    return;
  }
  const port = await freePort();
  url = `http://localhost:${port}`;
  site = await startSite({ SITE_URL: url });
  nginx = await startNginx(site, port);
  ({ folder, plain } = nginx);
});

afterAll(async () => {
  await nginx?.stop();
  await site?.stop();
});

const accessLog = () => readFile(join(folder, "access.log"), "utf8");

test.runIf(hasNginx)(
  "all of an account's life works behind nginx with its defaults",
  async () => {
    await wholeVisit({ url, dataDir: site.dataDir });
    // No buffer was too small: nothing was refused or written to a file.
    expect(await readFile(join(folder, "all.log"), "utf8")).toBe("");
    expect((await ask({ url }, "GET", "/no/such/page")).status).toBe(404);
  },
  120_000,
);

test.runIf(hasNginx)("nginx understands the whole file", async () => {
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

test.runIf(hasNginx)("port 80 has certbot's challenges, and redirects all else", async () => {
  const challenge = "/.well-known/acme-challenge/token";
  await mkdir(join(folder, "html/.well-known/acme-challenge"), { recursive: true });
  await writeFile(join(folder, "html", challenge), "proof");
  const answer = await ask({ url: plain }, "GET", challenge);
  expect([answer.status, answer.text]).toEqual([200, "proof"]);
  const other = await ask({ url: plain }, "GET", "/admin?q=1");
  expect([other.status, other.headers.location]).toEqual([301, "https://your.site/admin?q=1"]);
});

test.runIf(hasNginx)("search words are not in nginx's log either", async () => {
  await ask({ url }, "GET", "/admin?q=secret", { headers: { Referer: `${url}/admin?q=secret` } });
  await expect.poll(accessLog).toContain('"GET /admin" 302');
  expect(await accessLog()).not.toContain("secret");
});

test.runIf(hasNginx)("each visitor behind nginx has limits of their own", async () => {
  expect(site.output()).not.toContain("X-Forwarded-For");
});

test.runIf(hasNginx)(
  "while the site is away, visitors read so in Arabic, and no log has a query",
  async () => {
    await site.end("SIGTERM");
    const { status, text } = await ask({ url }, "GET", "/");
    expect(status).toBe(503);
    expect(text).toContain('<html lang="ar" dir="rtl">');
    expect(text).toContain("الموقع يعود بعد لحظات");
    await ask({ url }, "GET", "/receipt?t=secret", { headers: { Referer: `${url}/?sent=secret` } });
    await expect.poll(accessLog).toContain('"GET /receipt" 503');
    expect(await readFile(join(folder, "all.log"), "utf8")).toContain("secret");
    expect(await readFile(join(folder, "error.log"), "utf8")).toBe("");
  },
);
