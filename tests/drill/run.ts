import { drill } from "./drill.ts";
import { drillNotifications } from "./notifications.ts";

/**
 * `npm run drill [100]`: kills a new site this many times. `npm run drill notifications [20]`: kills one
 * this many times while it mails its owner. Exits with 1 if a confirmed message was lost or doubled, a
 * notification was lost, or a start failed.
 */
const [first = "100", second] = process.argv.slice(2);
process.exit((await run()) ? 0 : 1);

function run(): Promise<boolean> {
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
