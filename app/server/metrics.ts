import { createServer, type Server, type ServerResponse } from "node:http";
import { performance } from "node:perf_hooks";
import type { Backend } from "#app/site-contract.server.ts";
import { listen } from "./http/listen.ts";

/** The default path and the format of Prometheus. */
const path = "/metrics";
const contentType = "text/plain; version=0.0.4; charset=utf-8";

interface Metric {
  name: string;
  type: "counter" | "gauge";
  help: string;
  /** By label, such as `{status="2xx"}`; one value without labels; none if it is not known. */
  values: [labels: string, value: number | undefined][];
}

interface Watched {
  site: Server;
  backend: Pick<Backend, "health" | "backups" | "freeBytes">;
  /** How many notifications could not be sent since the start. */
  failedNotifications(): number;
}

/**
 * Serves GET /metrics on a port of its own
 * (https://prometheus.io/docs/instrumenting/exposition_formats/). @throws {StartError}
 */
export async function openMetrics(port: number, watched: Watched): Promise<() => Promise<void>> {
  const answered = new Map<string, number>();
  let seconds = 0;
  watched.site.on("request", (_request, response: ServerResponse) => {
    const since = performance.now();
    response.once("close", () => {
      const labels = `{status="${Math.floor(response.statusCode / 100)}xx"}`;
      answered.set(labels, (answered.get(labels) ?? 0) + 1);
      seconds += (performance.now() - since) / 1000;
    });
  });

  const server = createServer(async (request, response) => {
    if (request.url !== path) {
      response.writeHead(404).end();
      return;
    }
    const metrics: Metric[] = [
      {
        name: "http_requests_total",
        type: "counter",
        help: "Answered requests by status.",
        values: [...answered],
      },
      one("http_request_seconds_total", "counter", "Time from request to answer, summed.", seconds),
      ...(await figuresOfSite(watched)),
      ...figuresOfProcess(),
    ];
    const text = metrics.map(write).join("");
    response.writeHead(200, { "Content-Type": contentType }).end(text);
  });
  await listen(server, { port, host: "127.0.0.1" }, "METRICS_PORT");
  return async () => {
    server.close();
    server.closeAllConnections();
  };
}

const one = (name: string, type: Metric["type"], help: string, value: number | undefined) => ({
  name,
  type,
  help,
  values: [["", value]] satisfies Metric["values"],
});

function write({ name, type, help, values }: Metric): string {
  const known = values.filter(([, value]) => value !== undefined);
  const samples = known.map(([labels, value]) => `${name}${labels} ${value}`);
  return samples.length === 0
    ? ""
    : [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples, ""].join("\n");
}

async function figuresOfSite({ backend, failedNotifications }: Watched): Promise<Metric[]> {
  const backups = await backend.backups?.();
  const backupTime = backups?.at && backups.at.getTime() / 1000;
  const backupFault = backups ? Number(backups.fault !== undefined) : undefined;
  const { database, authentication } = await backend.health();
  return [
    one("tawasul_database_up", "gauge", "1 if it answers.", Number(database)),
    one(
      "tawasul_authentication_up",
      "gauge",
      "1 if an outside one answers.",
      authentication === undefined ? undefined : Number(authentication),
    ),
    one("tawasul_disk_free_bytes", "gauge", "On the data's disk.", await backend.freeBytes?.()),
    one("tawasul_backup_time_seconds", "gauge", "When the newest backup was made.", backupTime),
    one("tawasul_backup_failed", "gauge", "1 if none was made since a failure.", backupFault),
    one(
      "tawasul_notifications_failed_total",
      "counter",
      "Notifications that could not be sent.",
      failedNotifications(),
    ),
  ];
}

function figuresOfProcess(): Metric[] {
  const { user, system } = process.cpuUsage();
  const started = performance.timeOrigin / 1000;
  return [
    one("process_cpu_seconds_total", "counter", "Time on the processor.", (user + system) / 1e6),
    one("process_resident_memory_bytes", "gauge", "Node's memory.", process.memoryUsage.rss()),
    one("process_start_time_seconds", "gauge", "When the process started.", started),
  ];
}
