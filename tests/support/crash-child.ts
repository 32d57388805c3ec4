/**
 * A site for tests to kill. Starts on the data folder in its argument, prints "starting" and
 * "ready", then inserts numbered messages over REST and prints each number once confirmed.
 */
import { startTestServer } from "./embedded-server.ts";

const [dataDir, first] = process.argv.slice(2);
const say = (line: string) => process.stdout.write(`${line}\n`);

say("starting");
const server = await startTestServer({ dataDir });
say("ready");
let next = Number(first);

async function insertForever() {
  for (;;) {
    const number = next;
    next += 1;
    const response = await fetch(`${server.url}/rest/v1/contact_messages`, {
      method: "POST",
      headers: { apikey: server.secretKey, "content-type": "application/json" },
      body: JSON.stringify({ name: "n", email: "a@b.co", message: `number ${number}` }),
    });
    if (response.status === 201) {
      say(String(number));
    }
  }
}

await Promise.all([insertForever(), insertForever(), insertForever(), insertForever()]);
