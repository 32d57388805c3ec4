import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { signUp } from "#tests/bench/visitors.ts";
import { newAddress } from "#tests/support/address.ts";
import { openTab } from "#tests/support/live.ts";
import { post } from "./senders.ts";
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
  sent: number;
  views: number;
  /** Messages and pages that were not answered as they should be. */
  failed: number;
  /** Of `sent` times the open inboxes. */
  heard: number;
  inboxes: number;
}

const [messageMs, viewMs, inboxes] = [200, 50, 30];
const sampleMs = 10_000;

/**
 * Sends five messages and reads twenty pages a second, with thirty open inboxes.
 * @param report takes a line for each sample, of which there is one in ten seconds
 */
export async function soak(minutes: number, report: (line: string) => void): Promise<Soak> {
  const folder = await mkdtemp(join(tmpdir(), "soak-"));
  await chmod(folder, 0o711);
  const site = await siteProcess(folder);
  const over = new AbortController();
  const result: Soak = { samples: [], sent: 0, views: 0, failed: 0, heard: 0, inboxes };
  try {
    if (!(await site.start())) {
      throw new Error(`The site did not start: ${site.output()}`);
    }
    const cookie = await signUp(site.url);
    const tabs = Array.from({ length: inboxes }, () =>
      openTab(site, { cookie, address: newAddress() }),
    );
    await Promise.all(tabs.map(({ status }) => status));
    const heard = () => tabs.reduce((sum, { frames }) => sum + frames.length, 0);
    // An inbox that was opened a moment ago does not hear at once; a board reads the list again.
    for (let number = 1; tabs.some(({ frames }) => frames.length === 0); number += 1) {
      await post(site.url, `first ${number}`);
      await sleep(1000);
    }
    const before = heard();
    const load = [
      every(messageMs, over.signal, async () => {
        const isSent = await post(site.url, `soak ${result.sent + 1}`);
        result[isSent ? "sent" : "failed"] += 1;
      }),
      every(viewMs, over.signal, async () => {
        const path = ["/", "/auth", "/?code=x", "/admin"][result.views % 4] ?? "/";
        const response = await fetch(`${site.url}${path}`, {
          headers: { cookie, "X-Forwarded-For": newAddress() },
        });
        await response.arrayBuffer();
        result[response.ok ? "views" : "failed"] += 1;
      }),
    ];
    const samples = Math.round((minutes * 60_000) / sampleMs);
    for (let number = 1; number <= samples; number += 1) {
      await sleep(sampleMs);
      const sample = await takeSample(site, (number * sampleMs) / 60_000);
      result.samples.push(sample);
      report(Object.values(sample).join("\t"));
    }
    over.abort();
    await Promise.all(load);
    await sleep(3000);
    result.heard = heard() - before;
    for (const { socket } of tabs) {
      socket.terminate();
    }
    return result;
  } finally {
    over.abort();
    await site.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/**
 * What grew from the second quarter of the samples to the last by more than it may: connections
 * that the load keeps open are files too.
 */
export function growing(samples: Sample[]): string[] {
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

/** A line of /proc/PID/status (proc_pid_status(5)), which counts in kB. */
async function megabytes(pid: number, name: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0) / 1024);
}
