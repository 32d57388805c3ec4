import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { signUp } from "#tests/bench/visitors.ts";
import { newAddress } from "#tests/support/address.ts";
import { openBoard } from "./boards.ts";
import { compare } from "./drill.ts";
import { post, storedTexts } from "./senders.ts";
import { type SiteProcess, siteProcess } from "./site-process.ts";

interface Sample {
  minute: number;
  siteMegabytes: number;
  postgresMegabytes: number;
  files: number;
  logLines: number;
}

export interface Soak {
  samples: Sample[];
  /** Number of confirmed messages. */
  sent: number;
  lost: string[];
  doubled: string[];
  views: number;
  /** Wrong responses, with their number. */
  failed: Map<string, number>;
  boards: number;
  /** How often boards reloaded. */
  reloads: number;
  /** Messages that a board did not show at the end, summed over the boards. */
  missing: number;
}

const [messageMs, viewMs, boardCount] = [200, 50, 30];
const deliveredWithin = 10_000;
const sampleMs = 10_000;

/**
 * Sends five messages and reads twenty pages a second, with thirty open boards.
 * @param report receives a line per sample, every ten seconds
 */
export async function soak(minutes: number, report: (line: string) => void): Promise<Soak> {
  const folder = await mkdtemp(join(tmpdir(), "soak-"));
  await chmod(folder, 0o711);
  const site = await siteProcess(folder);
  const over = new AbortController();
  const acknowledged = new Set<string>();
  const samples: Sample[] = [];
  let [number, views] = [0, 0];
  const failed = new Map<string, number>();
  const fail = (what: string) => failed.set(what, (failed.get(what) ?? 0) + 1);
  try {
    if (!(await site.start())) {
      throw new Error(`The site did not start: ${site.output()}`);
    }
    const cookie = await signUp(site.url);
    const boards = await Promise.all(
      Array.from({ length: boardCount }, () => openBoard(site, cookie)),
    );
    const load = [
      every(messageMs, over.signal, async () => {
        // Each text is distinct, because the site confirms repeats and drops them.
        const text = `soak ${(number += 1)}`;
        if (await post(site.url, text)) {
          acknowledged.add(text);
        } else {
          fail("message");
        }
      }),
      every(viewMs, over.signal, async () => {
        const path = ["/", "/auth", "/?next=x", "/admin"][views % 4] ?? "/";
        const response = await fetch(`${site.url}${path}`, {
          headers: { cookie, "X-Forwarded-For": newAddress() },
        });
        await response.arrayBuffer();
        views += 1;
        if (!response.ok) {
          fail(`${path} ${response.status}`);
        }
      }),
    ];
    const rounds = Math.round((minutes * 60_000) / sampleMs);
    for (let round = 1; round <= rounds; round += 1) {
      await sleep(sampleMs);
      const sample = await takeSample(site, (round * sampleMs) / 60_000);
      samples.push(sample);
      report(Object.values(sample).join("\t"));
    }
    over.abort();
    await Promise.all(load);
    const stored = await storedTexts(site.dataDir);
    const missing = () => boards.reduce((sum, board) => sum + board.missing(stored).length, 0);
    const deadline = Date.now() + deliveredWithin;
    while (missing() > 0 && Date.now() < deadline) {
      await sleep(500);
    }
    const reloads = boards.reduce((sum, board) => sum + board.reloads(), 0);
    const counts = { sent: acknowledged.size, views, failed, boards: boardCount, reloads };
    const outcome = { ...counts, ...compare(acknowledged, stored), missing: missing(), samples };
    await Promise.all(boards.map((board) => board.close()));
    return outcome;
  } finally {
    over.abort();
    await site.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/**
 * Returns the figures that grew beyond their allowance from the second quarter of the samples to
 * the last. `files` includes the connections that the load keeps open.
 */
export function findGrowth(samples: Sample[]): string[] {
  const quarter = Math.floor(samples.length / 4);
  const middle = (part: Sample[], name: keyof Sample) =>
    part.map((sample) => sample[name]).toSorted((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0;
  const allowed = { siteMegabytes: 60, postgresMegabytes: 60, files: 20, logLines: 5 };
  return (Object.keys(allowed) as (keyof typeof allowed)[]).filter((name) => {
    const before = middle(samples.slice(quarter, 2 * quarter), name);
    return middle(samples.slice(-quarter), name) - before > allowed[name];
  });
}

async function every(ms: number, over: AbortSignal, work: () => Promise<void>): Promise<void> {
  const running = new Set<Promise<void>>();
  while (!over.aborted) {
    const one = work().finally(() => running.delete(one));
    running.add(one);
    await sleep(ms, undefined, { signal: over }).catch(() => undefined);
  }
  await Promise.all(running);
}

async function takeSample(site: SiteProcess, minute: number): Promise<Sample> {
  const pid = site.pid() ?? 0;
  const { all } = await site.postgres();
  const postgres = await Promise.all(all.map((each) => megabytes(each, "RssAnon")));
  return {
    minute: Math.round(minute * 10) / 10,
    siteMegabytes: await megabytes(pid, "VmRSS"),
    postgresMegabytes: postgres.reduce((sum, each) => sum + each, 0),
    files: (await readdir(`/proc/${pid}/fd`)).length,
    logLines: site.output().split("\n").length,
  };
}

/** Reads a field of /proc/PID/status, which counts in kB (proc_pid_status(5)). */
async function megabytes(pid: number, name: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0) / 1024);
}
