import { drill } from "./drill.ts";
import { growing, soak } from "./soak.ts";

/**
 * `npm run drill`: kills a site on a data folder of its own a hundred times, or as often as the
 * argument says. `npm run drill soak`: loads one for ten minutes, or so many as the next argument
 * says. Exits with 1 if a confirmed message was lost or doubled or an open board does not show it, a
 * start failed, or memory, files or the log grew without an end.
 */
const [first = "100", minutes = "10"] = process.argv.slice(2);
process.exit((await (first === "soak" ? load(Number(minutes)) : kill(Number(first)))) ? 0 : 1);

async function kill(rounds: number): Promise<boolean> {
  const { acknowledged, lost, doubled, failedStarts, recoveryMs } = await drill(
    rounds,
    console.log,
  );
  const sorted = recoveryMs.toSorted((a, b) => a - b);
  console.log(
    `${rounds} kills: ${acknowledged} acknowledged, ${lost.length} lost, ${doubled.length} doubled, ${failedStarts} failed starts.`,
  );
  console.log(
    `Healthy again after ${sorted[Math.floor(rounds / 2)]} ms (median), ${sorted.at(-1)} ms (worst).`,
  );
  console.log([...lost, ...doubled].slice(0, 20).join("\n"));
  return lost.length + doubled.length + failedStarts === 0;
}

async function load(wanted: number): Promise<boolean> {
  console.log("minute\tsite, MB\tPostgreSQL, MB\tfiles\tlines of the log");
  const found = await soak(wanted, console.log);
  const { samples, sent, views, failed, lost, doubled, boards, told, missing } = found;
  const grew = growing(samples);
  console.log(`${sent} messages, ${lost.length} lost, ${doubled.length} doubled; ${views} pages.`);
  for (const [what, times] of failed) {
    console.log(`${what} failed ${times} times.`);
  }
  console.log(
    `${boards} boards were told ${told} times to read again, and miss ${missing} of ${sent * boards} messages.`,
  );
  console.log(
    grew.length > 0 ? `Not flat: ${grew.join(", ")}.` : "Memory, files and log are flat.",
  );
  return grew.length + failed.size + lost.length + doubled.length + missing === 0;
}
