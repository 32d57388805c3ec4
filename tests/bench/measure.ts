import { readdir, readFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";

/** The result of a benchmark. */
export interface Outcome {
  title: string;
  note: string;
  figures: Figure[];
}

/** A measured figure, and its target if it has one. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  atMost?: number;
  atLeast?: number;
}

/** Whether a figure was measured and is within its target. */
export function isMet({ value, atMost = Infinity, atLeast = -Infinity }: Figure): boolean {
  return value <= atMost && value >= atLeast;
}

/** Returns NaN for an empty list. */
export const median = (values: readonly number[]) => quantile(values, 0.5);

/** Returns the quantile for `share` (0 to 1), NaN for an empty list. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
}

// USER_HZ, which Linux has for all programs.
const ticksPerSecond = 100;

/** Returns the memory (PSS) of a process and all its descendants in MB. */
export async function treeMegabytes(pid: number): Promise<number> {
  let total = 0;
  for (const member of await processTree(pid)) {
    total += await megabytes(member);
  }
  return total;
}

/** Returns the memory (PSS) of one process in MB, 0 if it has ended. */
async function megabytes(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024;
}

/** Returns the processor time of a process and all its descendants in seconds. */
export async function treeProcessorSeconds(pid: number): Promise<number> {
  let ticks = 0;
  for (const member of await processTree(pid)) {
    const stat = await readFile(`/proc/${member}/stat`, "utf8").catch(() => "");
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13)
      .map(Number);
    ticks += user + system;
  }
  return ticks / ticksPerSecond;
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

/** Returns when and where the figures were measured. */
export function machine(): string {
  const date = new Date().toISOString().slice(0, 10);
  const memory = Math.round(totalmem() / 1024 ** 3);
  return `${date}, ${cpus().length} cores of ${cpus()[0]?.model}, ${memory} GB, Node ${process.version}`;
}
