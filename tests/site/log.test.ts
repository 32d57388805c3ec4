import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import manifest from "#package.json" with { type: "json" };
import { withSuperuser } from "#tests/support/superuser.ts";
import { useOwnSite } from "#tests/support/use-site.ts";
import { Visitor, ask } from "#tests/support/visitor.ts";
import { wholeVisit } from "#tests/support/whole-visit.ts";

const visitorMessage = { name: "زائر", email: "v@example.com" };

interface Line {
  time: string;
  level: string;
  event: string;
  account?: string;
}

const site = useOwnSite({ LOG_FORMAT: "json" });

test("a trusted proxy that names no visitor is logged once, and a health check is not", async () => {
  await ask(site, "GET", "/healthz");
  await ask(site, "GET", "/nowhere", { headers: { "X-Forwarded-For": "203.0.113.9" } });
  expect(site.linesWith("X-Forwarded-For")).toEqual([]);
  for (let round = 0; round < 3; round += 1) {
    await ask(site, "GET", "/nowhere");
  }
  await expect
    .poll(() => site.linesWith("X-Forwarded-For"))
    .toEqual([expect.stringContaining("A proxy of TRUSTED_PROXIES sends no X-Forw")]);
});

test("what a library prints of a request is not in the log, and does not fill it", async () => {
  const before = site.output().length;
  const now = { token_type: "bearer", expires_in: 1, expires_at: 1, user: { id: "x" } };
  const session = { ...now, access_token: "a.SECRET.c", refresh_token: "SECRET" };
  const cookie = `session=base64-${Buffer.from(JSON.stringify(session)).toString("base64url")}`;
  for (let round = 0; round < 5; round += 1) {
    expect((await ask(site, "GET", "/receipt%3Ft=SECRET%")).status).toBe(404);
    await ask(site, "GET", "/admin", { headers: { Cookie: cookie } });
  }
  // React Router prints one about the path, and supabase-js one about the session.
  await expect.poll(() => site.linesWith("A library")).toHaveLength(2);
  const lines = site.output().slice(before).trimEnd().split("\n");
  expect(lines.join("\n")).not.toContain("SECRET");
  expect(
    lines.filter((line) => !/^\{"time":"[^"]+","level":"(info|warn|error)"/.test(line)),
  ).toEqual([]);
});

test("many wrong links of mails are one line in the log", async () => {
  const visitor = new Visitor(site);
  for (let number = 0; number < 5; number += 1) {
    const answer = await visitor.post(`/auth/confirm?type=recovery&token_hash=wrong-${number}`);
    expect(answer.status).toBe(403);
  }
  await visitor.get("/after-wrong-links");
  await expect.poll(() => site.linesWith("/after-wrong-links")).toHaveLength(1);
  expect(site.linesWith("A mailed code or link failed")).toHaveLength(1);
});

async function read(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${site.url}${path}`, { headers });
  return [response.status, await response.json()];
}

test("/healthz says what can be used, and to this machine how much is left", async () => {
  const ok = { process: "ok", database: "ok" };
  expect(await read("/healthz", { "X-Forwarded-For": "192.0.2.1" })).toEqual([200, ok]);
  expect(await read("/healthz")).toEqual([
    200,
    { ...ok, version: manifest.version, freeBytes: expect.any(Number), failedNotifications: 0 },
  ]);
});

test.each<[name: string, value: string]>([
  ["Host", "your.site"],
  ["Host", "localhost.your.site"],
  ["Host", "127.0.0.1.your.site:3000"],
  ["Host", "10.0.0.2"],
  ["Forwarded", "for=192.0.2.1"],
  ["Via", "1.1 proxy"],
])(
  "/healthz hides its figures from a proxy on this machine that sends only %s: %s",
  async (name, value) => {
    const { text } = await ask(site, "GET", "/healthz", { headers: { [name]: value } });
    expect(JSON.parse(text)).toEqual({ process: "ok", database: "ok" });
  },
);

test("while the disk of the data is missing, /healthz says so, and /livez checks only the process", async () => {
  await rename(site.dataDir, `${site.dataDir}.away`);
  try {
    const headers = { "X-Forwarded-For": "192.0.2.1" };
    await expect.poll(() => read("/healthz", headers)).toMatchObject([503, { disk: "down" }]);
    expect(await read("/livez")).toEqual([200, { process: "ok" }]);
  } finally {
    await rename(`${site.dataDir}.away`, site.dataDir);
  }
  await expect.poll(async () => (await read("/healthz"))[0]).toBe(200);
});

/** How many connections the database has had. */
const sessions = () =>
  withSuperuser(site.dataDir, async (sql) => {
    const [row] = await sql<{ sum: string }>`select sum(sessions) from pg_stat_database`;
    return Number(row?.sum);
  });

test("/healthz asks the database once a second at most, whoever asks how often", async () => {
  const before = await sessions();
  const begin = performance.now();
  // They come one after the other, because simultaneous ones share an answer anyway.
  for (let count = 0; count < 100; count += 1) {
    await read("/healthz");
  }
  const seconds = Math.ceil((performance.now() - begin) / 1000);
  // Beside the checks and this test's own connections, the pool's may begin again.
  expect((await sessions()) - before).toBeLessThan(seconds + 20);
});

test("of an unknown path 200 characters are logged at most", async () => {
  const path = `/mark-of-this-test${"/x".repeat(3000)}`;
  await new Visitor(site).get(path);
  await new Visitor(site).post(path);
  const lines = () => site.linesWith("mark-of-this-test");
  await expect.poll(() => lines().length).toBeGreaterThan(1);
  const paths = new Set(lines().map((line) => JSON.parse(line).path));
  expect(paths).toEqual(new Set([path.slice(0, 200)]));
});

test("of many requests for unknown paths sixty a minute are logged with their path, the others as one count", async () => {
  const lines = () => site.linesWith("404: no page").length;
  const before = lines();
  const visitor = new Visitor(site);
  for (let number = before + 1; number <= 100; number += 1) {
    expect((await visitor.get(`/no-page-${number}`)).status).toBe(404);
  }
  await expect.poll(() => site.linesWith('/no-page-60"')).toHaveLength(1);
  expect(lines()).toBe(60);
  await expect.poll(() => site.linesWith("unknownPaths")).toHaveLength(1);
});

// This test is the last one, because it ends the site.
test("the log of an account's life has JSON lines with its id, and no personal data", async () => {
  const { owner, credentials } = await wholeVisit(site);
  const { access_token: token, refresh_token: refresh } = owner.session();
  const code = site.claimPath().split("=")[1] ?? "";
  await owner.post("/admin/claim", { code: "00000-00000-00000-00000" });
  await owner.post("/admin/claim", { code });
  const stranger = new Visitor(site);
  await stranger.post("/auth", { ...credentials, password: "a wrong password" });
  await stranger.post("/auth/forgot", { email: credentials.email });
  await stranger.post("/", { Origin: "x" }, { Origin: "https://evil.example" });
  for (let round = 0; round < 12; round += 1) {
    await stranger.post("/", { ...visitorMessage, message: `نص ${round}` });
  }
  const database = join(site.dataDir, "database/cluster/data/postmaster.pid");
  process.kill(Number((await readFile(database, "utf8")).split("\n")[0]), "SIGKILL");
  await expect.poll(() => site.output(), { timeout: 20_000 }).toContain("database is ready again");
  await site.end("SIGTERM");

  const text = site.output();
  const lines: Line[] = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  for (const { time, level, event } of lines) {
    expect(new Date(time).toISOString()).toBe(time);
    expect(level).toMatch(/^(info|warn|error)$/);
    expect(event).toMatch(/^\p{Lu}|^404|^rest|^auth/u);
  }
  const account = lines.find(({ event }) => event === "An account was created")?.account;
  expect(account).toMatch(/^[0-9a-f-]{36}$/);
  const events = lines.map(({ event }) => event).join("\n");
  expect(events).toContain("Tawasul is ready");
  expect(events).toContain("The database ended (signal SIGKILL) and is started again");
  expect(events).toContain("Stopping");
  expect(events).toContain("Stopped");
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ event: "An account signed in", account, method: "password" }),
      expect.objectContaining({ event: "An account used its second factor", account }),
      expect.objectContaining({ event: "An account signed out", account }),
      expect.objectContaining({ event: "A sign-in failed", account }),
      expect.objectContaining({ event: "The inbox was not claimed", account, level: "warn" }),
      expect.objectContaining({ event: "The inbox was claimed", account }),
      expect.objectContaining({ event: "A limit was reached", limit: "message", count: 1 }),
      expect.objectContaining({ event: "No SMTP server is set: a mail was written to a file" }),
    ]),
  );
  const secrets = [
    credentials.email,
    credentials.password,
    "a wrong password",
    "v@example.com",
    "visitor@example.com",
    "نص",
    token,
    refresh,
    owner.address,
    stranger.address,
  ];
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
}, 120_000);
