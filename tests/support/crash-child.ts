/**
 * A site for tests to kill. Starts on the data folder in its argument, prints "starting" and
 * "ready", then inserts numbered messages as visitors and prints each number once confirmed.
 */
import { startTestServer } from "./embedded-server.ts";
import { leaveMessage } from "./messages.ts";

const [dataDir] = process.argv.slice(2);
const say = (line: string) => process.stdout.write(`${line}\n`);

say("starting");
const server = await startTestServer({ dataDir });
say("ready");
let next = 0;

// Each number has an address of its own, so that no limit refuses it.
const addressOf = (number: number) =>
  ["10", number >> 16, (number >> 8) & 255, number & 255].join(".");

async function insertForever() {
  for (;;) {
    const number = next;
    next += 1;
    const row = { name: "n", email: `${number}@b.co`, message: `number ${number}` };
    if ((await leaveMessage(server, row, addressOf(number))).status === 200) {
      say(String(number));
    }
  }
}

await Promise.all([insertForever(), insertForever(), insertForever(), insertForever()]);
