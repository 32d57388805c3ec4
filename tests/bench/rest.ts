import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { newCredentials } from "#tests/support/credentials.ts";
import { startTestServer, type TestServer } from "#tests/support/embedded-server.ts";
import { leaveMessage } from "#tests/support/messages.ts";
import { openDirect } from "./direct.ts";
import { median, type Outcome } from "./measure.ts";

const rounds = 5;
const seconds = 3;
const connections = 16;

/** Compares calls of the embedded Supabase: inserts with those by the driver, sign-ins with bare hashing. */
export default async function measureRest(): Promise<Outcome> {
  const server = await startTestServer();
  await using held = new AsyncDisposableStack();
  held.defer(() => server.close());
  const account = newCredentials();
  await post(server, "/auth/v1/signup", account);
  const stored = await hash(account.password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  await using direct = await openDirect(server.dataDir, connections);
  await direct.setNotifications(false);

  const insert = () => perSecond(connections, () => insertByCall(server));
  const insertDirectly = () => perSecond(connections, () => direct.insert(randomUUID()));
  const signIn = () => post(server, "/auth/v1/token?grant_type=password", account);
  await insert();
  await insertDirectly();
  const inserts: number[] = [];
  const announcedInserts: number[] = [];
  const directInserts: number[] = [];
  const signIns: number[] = [];
  const hashes: number[] = [];
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
    signIns.push((await perSecond(8, signIn)).rate);
    const bare = await perSecond(availableParallelism(), () => verify(stored, account.password));
    hashes.push(bare.rate);
  }
  const share = median(signIns.map((rate, round) => rate / (hashes[round] ?? 0)));
  const insertShare = median(inserts.map((rate, round) => rate / (directInserts[round] ?? 0)));
  const announcedShare = median(
    announcedInserts.map((rate, round) => rate / (inserts[round] ?? 0)),
  );
  return {
    title: "Inserts and sign-ins of the embedded Supabase",
    note: `Medians of ${rounds} runs of ${seconds} s after a warm-up, at ${connections} connections; fsync is on, and the hash is argon2id with 19 MiB. Each call is made in process, as the site makes it, and each insert comes from an address of its own. The driver's insert has the same function, role and claims, also in its own transaction. Notifications are those of mail and webhook. Writers commit one after another, because each insert is told to open boards by NOTIFY.`,
    figures: [
      { name: "inserts by the driver", value: median(directInserts), unit: "/s" },
      { name: "inserts by a call", value: median(inserts), unit: "/s", atLeast: 300 },
      { name: "relative to the driver", value: insertShare * 100, unit: "%", atLeast: 70 },
      { name: "with notifications", value: announcedShare * 100, unit: "%", atLeast: 85 },
      { name: "argon2id alone, one per core", value: median(hashes), unit: "/s" },
      { name: "sign-ins", value: median(signIns), unit: "/s" },
      { name: "relative to argon2id", value: share * 100, unit: "%", atLeast: 70 },
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

/** Makes a call. Throws if it is refused. */
async function post({ embedded, url }: TestServer, path: string, body: object): Promise<void> {
  const request = new Request(url + path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const response = await embedded.fetch(request);
  if (!response.ok) {
    throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }
}

/** Does some work without pause in `workers` turns. Returns how often, and the rate per second. */
async function perSecond(workers: number, work: () => Promise<unknown>) {
  const startedAt = performance.now();
  const end = startedAt + seconds * 1000;
  let done = 0;
  const worker = async () => {
    while (performance.now() < end) {
      await work();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
  return { done, rate: (done * 1000) / (performance.now() - startedAt) };
}
