import { type Budget, megabytes } from "./measure.ts";
import type { Running } from "./servers.ts";

export interface Exported {
  messages: number;
  seconds: number;
  /** Peak memory of the site's process in MB, in each half of the file. */
  most: [number, number];
}

const sampleMs = 100;

/** Downloads every message as a browser does, and samples the site's memory meanwhile. */
export async function measureExport(
  { url, pid }: Running,
  headers: Record<string, string>,
  expected: number,
): Promise<Exported> {
  const most: Exported["most"] = [0, 0];
  let messages = 0;
  const look = async () => {
    const half = messages < expected / 2 ? 0 : 1;
    most[half] = Math.max(most[half], await megabytes(pid));
  };
  const sampling = setInterval(() => {
    void look();
  }, sampleMs);
  const startedAt = performance.now();
  try {
    const file = `${url}/admin/export?box=any&format=jsonl`;
    const response = await fetch(file, { headers, redirect: "manual" });
    if (!response.ok || !response.body) {
      throw new Error(`No export: ${response.status}`);
    }
    for await (const bytes of response.body) {
      messages += countLines(bytes);
    }
  } finally {
    clearInterval(sampling);
  }
  return { messages, seconds: (performance.now() - startedAt) / 1000, most };
}

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    lines += 1;
  }
  return lines;
}

export const exportNote = ({ messages, seconds, most: [first, second] }: Exported) =>
  `An export of ${messages.toLocaleString("en")} messages takes ${seconds.toFixed(0)} s. The site's process peaks at ${first.toFixed(0)} MB in the first half and at ${second.toFixed(0)} MB in the second.`;

export const exportBudget = ({ most: [first, second] }: Exported): Budget => ({
  name: "memory of an export, second half relative to the first",
  measured: second / first,
  limit: { atMost: 1.2 },
  unit: "times",
});
