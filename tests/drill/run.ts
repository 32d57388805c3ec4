import { drill } from "./drill.ts";

/**
 * `npm run drill [100]`: kills a new site this many times. Exits with 1 if a confirmed message was lost
 * or doubled, or a start failed.
 */
const rounds = Number(process.argv[2] ?? 100);
const { acknowledged, lost, doubled, failedStarts, recoveryMs } = await drill(rounds, console.log);
const sorted = recoveryMs.toSorted((a, b) => a - b);
console.log(
  `${rounds} kills: ${acknowledged} acknowledged, ${lost.length} lost, ${doubled.length} doubled, ${failedStarts} failed starts.`,
);
console.log(
  `Healthy again after ${sorted[Math.floor(rounds / 2)]} ms (median), ${sorted.at(-1)} ms (worst).`,
);
console.log([...lost, ...doubled].slice(0, 20).join("\n"));
process.exit(lost.length + doubled.length + failedStarts === 0 ? 0 : 1);
