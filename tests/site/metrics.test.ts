import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort, type RunningSite, startSite } from "#tests/support/site.ts";

let site: RunningSite;
let metrics: string;
beforeAll(async () => {
  const port = await freePort();
  metrics = `http://127.0.0.1:${port}`;
  site = await startSite({ METRICS_PORT: String(port) });
});
afterAll(() => site?.stop());

test("metrics are on a port of their own, in the format of Prometheus", async () => {
  for (const path of ["/", "/", "/no/such/page"]) {
    await (await fetch(`${site.url}${path}`)).arrayBuffer();
  }
  const answer = await fetch(`${metrics}/metrics`);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const text = await answer.text();
  expect(text).toMatch(/^([a-z_]+(\{status="\dxx"\})? [\d.]+\n)+$/);
  expect(text).toContain('http_requests_total{status="2xx"} 2\n');
  expect(text).toContain('http_requests_total{status="4xx"} 1\n');
  expect(text).toContain("tawasul_database_up 1\n");
  expect(text).toMatch(/^process_resident_memory_bytes \d{7,}$/m);
});

test("the site's port does not serve metrics, and their port serves nothing else", async () => {
  expect((await fetch(`${site.url}/metrics`)).status).toBe(404);
  expect((await fetch(`${metrics}/`)).status).toBe(404);
});
