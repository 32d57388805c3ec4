import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort, type RunningSite, startSite } from "#tests/support/site.ts";

let site: RunningSite;
let metrics: string;
let BACKUP_DIR: string;
beforeAll(async () => {
  BACKUP_DIR = await mkdtemp(join(tmpdir(), "metrics-backups-"));
  const port = await freePort();
  metrics = `http://127.0.0.1:${port}`;
  site = await startSite({ METRICS_PORT: String(port), BACKUP_DIR });
});
afterAll(async () => {
  await site?.stop();
  await rm(BACKUP_DIR, { recursive: true });
});

const read = async () => (await fetch(`${metrics}/metrics`)).text();

test("metrics are on a port of their own, in the format of Prometheus", async () => {
  for (const path of ["/", "/", "/no/such/page"]) {
    await (await fetch(`${site.url}${path}`)).arrayBuffer();
  }
  const answer = await fetch(`${metrics}/metrics`);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const text = await answer.text();
  expect(text).toMatch(
    /^(# HELP ([a-z_]+) .+\.\n# TYPE \2 (counter|gauge)\n(\2(\{status="\dxx"\})? [\d.]+\n)+)+$/,
  );
  expect(text).toMatch(/^tawasul_disk_free_bytes \d{6,}$/m);
  expect(text).toContain("tawasul_notifications_failed_total 0\n");
  expect(text).toContain("tawasul_backup_failed 0\n");
  expect(text).toContain('http_requests_total{status="2xx"} 2\n');
  expect(text).toContain('http_requests_total{status="4xx"} 1\n');
  expect(text).toContain("tawasul_database_up 1\n");
  expect(text).toMatch(/^process_resident_memory_bytes \d{7,}$/m);
});

test("the newest backup has its time in the metrics", async () => {
  await expect.poll(read, { timeout: 50_000 }).toMatch(/^tawasul_backup_time_seconds \d{10}$/m);
});

test("the site's port does not serve metrics, and their port serves nothing else", async () => {
  expect((await fetch(`${site.url}/metrics`)).status).toBe(404);
  expect((await fetch(`${metrics}/`)).status).toBe(404);
});
