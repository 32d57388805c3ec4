import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { freePort, type RunningSite, startSite } from "#tests/support/site.ts";
import { root } from "#tests/support/spawn-server.ts";
import { ask } from "#tests/support/visitor.ts";
import { wholeVisit } from "#tests/support/whole-visit.ts";

const env = { ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin` };
const hasNginx = spawnSync("nginx", ["-v"], { env }).status === 0;
if (!hasNginx) {
  console.info("Skipped: the site behind nginx needs nginx (apt-get install nginx).");
}

let folder: string;
let site: RunningSite;
let nginx: ChildProcess;
let url: string;
/** Port 80 of the file. */
let plain: string;

beforeAll(async () => {
  if (!hasNginx) {
    return;
  }
  folder = await mkdtemp(join(tmpdir(), "nginx-"));
  const port = await freePort();
  url = `http://localhost:${port}`;
  const plainPort = await freePort();
  plain = `http://localhost:${plainPort}`;
  site = await startSite({ SITE_URL: url });
  const config = join(folder, "nginx.conf");
  await writeFile(config, await configuration(port, plainPort));
  nginx = spawn("nginx", ["-p", folder, "-e", "error.log", "-c", config, "-g", "daemon off;"], {
    env,
    stdio: "inherit",
  });
  // nginx listens some time after its start.
  await vi.waitFor(() => ask({ url }, "GET", "/healthz"), { timeout: 10_000, interval: 50 });
});

afterAll(async () => {
  if (nginx?.exitCode === null) {
    nginx.kill("SIGQUIT");
    await once(nginx, "exit");
  }
  await site?.stop();
  await rm(folder ?? "", { recursive: true, force: true });
});

const accessLog = () => readFile(join(folder, "access.log"), "utf8");

/** The file named in DEPLOY, on other ports and without certificates. */
async function configuration(port: number, plainPort: number): Promise<string> {
  const file = await readFile(join(root, ".github/nginx.conf"), "utf8");
  // The second server redirects www.
  const [maps = "", first = "", ...servers] = file.split(/^(?=server \{)/m);
  const server = `${maps}${first}${servers.at(-1)}`
    .replaceAll(/ *(listen|ssl_certificate|ssl_certificate_key) .*;\n/g, "")
    .replaceAll("/var/log/nginx/", "")
    .replace("server_name your.site www.your.site;", `listen localhost:${plainPort};`)
    .replace("/var/www/html", join(folder, "html"))
    .replace("server_name your.site;", `listen localhost:${port}; error_log all.log;`)
    .replace("http://127.0.0.1:3000", site.url.replace("localhost", "127.0.0.1"));
  // The workers of root's nginx would run as a user that cannot enter the folder.
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${name};`)
    .join(" ");
  return `${user} pid nginx.pid; events {}\nhttp { access_log off; ${temporary}\n${server}}\n`;
}

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
  const file = (await readFile(join(root, ".github/nginx.conf"), "utf8"))
    .replaceAll(/ *listen \[::\].*;\n/g, "")
    .replaceAll("listen 80;", `listen ${await freePort()};`)
    .replaceAll("listen 443 ", `listen ${await freePort()} `)
    .replaceAll("/etc/letsencrypt/live/your.site/fullchain.pem", certificate)
    .replaceAll("/etc/letsencrypt/live/your.site/privkey.pem", key)
    .replaceAll("/var/log/nginx/", "");
  const whole = join(folder, "whole.conf");
  await writeFile(whole, `pid whole.pid; events {}\nhttp {\n${file}}\n`);
  const { stderr } = spawnSync("nginx", ["-t", "-p", folder, "-c", whole], {
    env,
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
