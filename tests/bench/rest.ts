import { randomUUID } from "node:crypto";
import { signUp } from "#tests/support/auth-server.ts";
import { startTestServer, type TestServer } from "#tests/support/embedded-server.ts";
import { leaveMessage } from "#tests/support/messages.ts";
import { openDirect } from "./direct.ts";
import { median, type Outcome } from "./measure.ts";

const rounds = 5;
const seconds = 3;
const connections = 16;

/** Compares inserts by calls of the embedded Supabase with those by the driver. */
export default async function measureRest(): Promise<Outcome> {
  const server = await startTestServer();
  await using held = new AsyncDisposableStack();
  held.defer(() => server.close());
  await signUp(server);
  await using direct = await openDirect(server.dataDir, connections);
  await direct.setNotifications(false);

  const insert = () => perSecond(() => insertByCall(server));
  const insertDirectly = () => perSecond(() => direct.insert(randomUUID()));
  await insert();
  await insertDirectly();
  const inserts: number[] = [];
  const announcedInserts: number[] = [];
  const directInserts: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = await direct.count();
    const { rate, done } = await insert();
    if ((await direct.count()) - before < done) {
      throw new Error("A confirmed insert was not stored");
    }
    inserts.push(rate);
    await direct.setNotifications(true);
    announcedInserts.push((await insert()).rate);
    await direct.setNotifications(false);
    directInserts.push((await insertDirectly()).rate);
  }
  const insertShare = median(inserts.map((rate, round) => rate / (directInserts[round] ?? 0)));
  const announcedShare = median(
    announcedInserts.map((rate, round) => rate / (inserts[round] ?? 0)),
  );
  return {
    title: "Inserts of the embedded Supabase",
    note: `Medians of ${rounds} runs of ${seconds} s after a warm-up, at ${connections} connections; fsync is on. Each call is made in process, as the site makes it, and each insert comes from an address of its own. The driver's insert has the same function, role and claims, also in its own transaction. Notifications are those of mail and webhook. Writers commit one after another, because each insert is told to open boards by NOTIFY.`,
    figures: [
      { name: "inserts by the driver", value: median(directInserts), unit: "/s" },
      { name: "inserts by a call", value: median(inserts), unit: "/s", atLeast: 300 },
      { name: "relative to the driver", value: insertShare * 100, unit: "%", atLeast: 70 },
      { name: "with notifications", value: announcedShare * 100, unit: "%", atLeast: 85 },
    ],
  };
}

async function insertByCall(server: TestServer): Promise<void> {
  const row = { name: "Bench", email: "bench@example.com", message: randomUUID() };
  const { status, id } = await leaveMessage(server, row);
  if (id === null) {
    throw new Error(`A message was refused: ${status}`);
  }
}

/** Does some work without pause on all connections. Returns how often, and the rate per second. */
async function perSecond(work: () => Promise<unknown>) {
  const startedAt = performance.now();
  const end = startedAt + seconds * 1000;
  let done = 0;
  const worker = async () => {
    while (performance.now() < end) {
      await work();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return { done, rate: (done * 1000) / (performance.now() - startedAt) };
}
