import { readdir } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import { performance } from "node:perf_hooks";
import type { Health } from "#app/site-contract.server.ts";
import { listen } from "./http/listen.ts";

/** The default path and the format of Prometheus. */
const path = "/metrics";
const contentType = "text/plain; version=0.0.4; charset=utf-8";

/**
 * Serves GET /metrics on a port of its own
 * (https://prometheus.io/docs/instrumenting/exposition_formats/). @throws {StartError}
 */
export async function openMetrics(
  site: Server,
  port: number,
  health: () => Promise<Health>,
): Promise<() => Promise<void>> {
  const answered = new Map<string, number>();
  let seconds = 0;
  site.on("request", (_request, response: ServerResponse) => {
    const since = performance.now();
    response.once("close", () => {
      const status = `${Math.floor(response.statusCode / 100)}xx`;
      answered.set(status, (answered.get(status) ?? 0) + 1);
      seconds += (performance.now() - since) / 1000;
    });
  });

  const server = createServer(async (request, response) => {
    if (request.url !== path) {
      response.writeHead(404).end();
      return;
    }
    const requests = Array.from(
      answered,
      ([status, count]) => `http_requests_total{status="${status}"} ${count}`,
    );
    const lines = [...requests, `http_request_seconds_total ${seconds}`, ...(await figures(site))];
    const { database, authentication } = await health();
    lines.push(`tawasul_database_up ${Number(database)}`);
    if (authentication !== undefined) {
      lines.push(`tawasul_authentication_up ${Number(authentication)}`);
    }
    response.writeHead(200, { "Content-Type": contentType }).end(`${lines.join("\n")}\n`);
  });
  await listen(server, { port, host: "127.0.0.1" }, "METRICS_PORT");
  return async () => {
    server.close();
    server.closeAllConnections();
  };
}

async function figures(site: Server): Promise<string[]> {
  const { user, system } = process.cpuUsage();
  const { active } = performance.eventLoopUtilization();
  const files = await readdir("/proc/self/fd").catch(() => []);
  const connections = await new Promise<number>((resolve) =>
    site.getConnections((_error, count) => resolve(count)),
  );
  return [
    `http_connections ${connections}`,
    `nodejs_eventloop_active_seconds_total ${active / 1000}`,
    `process_cpu_seconds_total ${(user + system) / 1e6}`,
    `process_open_fds ${files.length}`,
    `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
    `process_start_time_seconds ${performance.timeOrigin / 1000}`,
  ];
}
