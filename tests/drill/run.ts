import { drill } from "./drill.ts";
import { drillNotifications } from "./notifications.ts";
import { findGrowth, soak } from "./soak.ts";

/**
 * `npm run drill [100]`: kills a new site this many times. `npm run drill soak [10]`: loads one for
 * this many minutes. `npm run drill notifications [20]`: kills one this many times while it mails its
 * owner. Exits with 1 if a confirmed message was lost, doubled or missing on an open board, a notification
 * was lost, a start failed, or memory, files or the log grew without bound.
 */
const [first = "100", second] = process.argv.slice(2);
process.exit((await run()) ? 0 : 1);

function run(): Promise<boolean> {
  if (first === "soak") {
    return load(Number(second ?? 10));
  }
  return first === "notifications" ? killNotifications(Number(second ?? 20)) : kill(Number(first));
}

async function killNotifications(rounds: number): Promise<boolean> {
  const { delivered, twice, wrong } = await drillNotifications(rounds, console.log);
  console.log(
    `${rounds} kills: ${delivered} messages delivered, ${twice} twice, ${wrong.length} wrong.`,
  );
  console.log(wrong.join("\n"));
  return wrong.length === 0;
}

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
  const { samples, sent, views, failed, lost, doubled, boards, reloads, missing } = found;
  const grew = findGrowth(samples);
  console.log(`${sent} messages, ${lost.length} lost, ${doubled.length} doubled; ${views} pages.`);
  for (const [what, times] of failed) {
    console.log(`${what} failed ${times} times.`);
  }
  console.log(
    `${boards} boards reloaded ${reloads} times and miss ${missing} of ${sent * boards} messages.`,
  );
  console.log(
    grew.length > 0 ? `Not flat: ${grew.join(", ")}.` : "Memory, files and log are flat.",
  );
  return grew.length + failed.size + lost.length + doubled.length + missing === 0;
}
