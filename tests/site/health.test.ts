import { rename } from "node:fs/promises";
import { expect, test } from "vitest";
import manifest from "#package.json" with { type: "json" };
import { withSuperuser } from "#tests/support/superuser.ts";
import { useSite } from "#tests/support/use-site.ts";
import { ask } from "#tests/support/visitor.ts";

const site = useSite();

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

test.each(["your.site", "localhost.your.site", "127.0.0.1.your.site:3000", "10.0.0.2"])(
  "/healthz says no more to a proxy of this machine that passes on the host %s alone",
  async (Host) => {
    const { text } = await ask(site, "GET", "/healthz", { headers: { Host } });
    expect(JSON.parse(text)).toEqual({ process: "ok", database: "ok" });
  },
);

test("while the data's disk is away /healthz says so, and /livez asks the process alone", async () => {
  await rename(site.dataDir, `${site.dataDir}.away`);
  try {
    const headers = { "X-Forwarded-For": "192.0.2.1" };
    await expect.poll(() => read("/healthz", headers)).toMatchObject([503, { disk: "away" }]);
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
  // One after the other: those at once share an answer anyway.
  for (let count = 0; count < 100; count += 1) {
    await read("/healthz");
  }
  const seconds = Math.ceil((performance.now() - begin) / 1000);
  // Beside the checks and this test's own connections, the pool's may begin again.
  expect((await sessions()) - before).toBeLessThan(seconds + 20);
});
