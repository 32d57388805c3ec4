import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { loadKeys } from "#embedded/keys.ts";
import { median, type Outcome, percent } from "./measure.ts";
import { startSite, tempFolder } from "./servers.ts";
import { insertMessage, newAccount, randomAddress, signUp } from "./visitors.ts";

const rounds = 3;
const seconds = 4;

/** Inserts over REST at 16 connections, and sign-ins beside the bare hash, in turns. */
export default async function measureRest(): Promise<Outcome> {
  await using data = await tempFolder();
  await using site = await startSite(data.path);
  const { secretKey, publishableKey: key } = await loadKeys(data.path);
  const account = newAccount();
  await signUp(site.url, account);
  const stored = await hash(account.password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });

  const inserts: number[] = [];
  const signIns: number[] = [];
  const hashes: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    inserts.push(await perSecond(16, () => insertMessage(site.url, secretKey, randomUUID())));
    signIns.push(await perSecond(8, () => signIn(site.url, key, account)));
    hashes.push(await perSecond(availableParallelism(), () => verify(stored, account.password)));
  }
  const share = median(signIns.map((rate, round) => rate / (hashes[round] ?? 0)));
  return {
    title: "Inserts over REST and sign-ins",
    note: `Medians of ${rounds} runs of ${seconds} s; fsync is on, and the hash is argon2id with 19 MiB. Inserts are with the secret key, past row level security and the limit of messages. The clients share the cores.`,
    rows: [
      { what: "inserts at 16 connections", "per second": median(inserts).toFixed(0) },
      { what: "argon2id alone, one per core", "per second": median(hashes).toFixed(0) },
      { what: `sign-ins (${percent(share)} of that)`, "per second": median(signIns).toFixed(0) },
    ],
    budgets: [
      { name: "inserts", measured: median(inserts), limit: { atLeast: 500 }, unit: "per second" },
      {
        name: "sign-ins beside the hash",
        measured: share * 100,
        limit: { atLeast: 70 },
        unit: "%",
      },
    ],
  };
}

async function perSecond(workers: number, work: () => Promise<unknown>): Promise<number> {
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
  return (done * 1000) / (performance.now() - startedAt);
}

async function signIn(url: string, key: string, account: object): Promise<void> {
  const response = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: {
      apikey: key,
      "Content-Type": "application/json",
      "X-Forwarded-For": randomAddress(),
    },
    body: JSON.stringify(account),
  });
  await response.arrayBuffer();
  if (response.status !== 200) {
    throw new Error(`Not signed in: status ${response.status}`);
  }
}
