import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import autocannon from "autocannon";
import { loadKeys } from "#embedded/keys.ts";
import { newAddress } from "#tests/support/address.ts";
import { newCredentials } from "#tests/support/credentials.ts";
import { startHook } from "#tests/support/hook.ts";
import { startSmtp } from "#tests/support/smtp.ts";
import { openDirect } from "./direct.ts";
import { median, type Outcome, percent } from "./measure.ts";
import { startSite, tempFolder } from "./servers.ts";
import { signUp } from "./visitors.ts";

const rounds = 5;
const seconds = 3;
const connections = 16;

/** Compares inserts over REST with inserts by the driver, and sign-ins with bare hashing. */
export default async function measureRest(): Promise<Outcome> {
  await using data = await tempFolder();
  await using smtp = await startSmtp();
  await using hook = await startHook();
  await using site = await startSite(data.path, {
    SMTP_URL: smtp.url,
    MAIL_FROM: "bench@example.com",
    NOTIFICATION_URL: hook.url,
  });
  const { secretKey, publishableKey: key } = await loadKeys(data.path);
  const account = newCredentials();
  await signUp(site.url, account);
  const stored = await hash(account.password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });

  await using direct = await openDirect(data.path, connections);
  await direct.setNotifications(false);
  const inserts: number[] = [];
  const toldInserts: number[] = [];
  const directInserts: number[] = [];
  const insertDirectly = () => perSecond(connections, () => direct.insert(randomUUID()));
  await insertOverRest(site.url, secretKey);
  await insertDirectly();
  const signIns: number[] = [];
  const hashes: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = await direct.count();
    const { rate, answered } = await insertOverRest(site.url, secretKey);
    // A repeated message gets the same answer but is not stored.
    if ((await direct.count()) - before < answered) {
      throw new Error("A confirmed insert was not stored");
    }
    inserts.push(rate);
    await direct.setNotifications(true);
    toldInserts.push((await insertOverRest(site.url, secretKey)).rate);
    await direct.setNotifications(false);
    directInserts.push(await insertDirectly());
    signIns.push(await signIn(site.url, key, account));
    hashes.push(await perSecond(availableParallelism(), () => verify(stored, account.password)));
  }
  const share = median(signIns.map((rate, round) => rate / (hashes[round] ?? 0)));
  const insertShare = median(inserts.map((rate, round) => rate / (directInserts[round] ?? 0)));
  const toldShare = median(toldInserts.map((rate, round) => rate / (inserts[round] ?? 0)));
  return {
    title: "Inserts over REST and sign-ins",
    note: `Medians of ${rounds} runs of ${seconds} s after a warm-up; fsync is on, and the hash is argon2id with 19 MiB. Inserts use the secret key, without row level security and the message limit. The insert through postgres.js has the same role, claims, headers and triggers, also in its own transaction. The clients share the cores.`,
    rows: [
      {
        what: `inserts through postgres.js at ${connections} connections`,
        "per second": median(directInserts).toFixed(0),
      },
      {
        what: `inserts over REST (${percent(insertShare)} of that)`,
        "per second": median(inserts).toFixed(0),
      },
      {
        what: `the same with notifications by mail and by webhook (${percent(toldShare)} of those without)`,
        "per second": median(toldInserts).toFixed(0),
      },
      { what: "argon2id alone, one per core", "per second": median(hashes).toFixed(0) },
      { what: `sign-ins (${percent(share)} of that)`, "per second": median(signIns).toFixed(0) },
    ],
    budgets: [
      { name: "inserts", measured: median(inserts), limit: { atLeast: 500 }, unit: "per second" },
      {
        name: "inserts over REST relative to postgres.js",
        measured: insertShare * 100,
        limit: { atLeast: 70 },
        unit: "%",
      },
      {
        name: "inserts with notifications relative to those without",
        measured: toldShare * 100,
        limit: { atLeast: 85 },
        unit: "%",
      },
      {
        name: "sign-ins relative to the hash",
        measured: share * 100,
        limit: { atLeast: 70 },
        unit: "%",
      },
    ],
  };
}

/** Inserts distinct messages with the secret key. Returns how many were answered, and the rate. */
function insertOverRest(url: string, apikey: string) {
  const message = { name: "Bench", email: "bench@example.com", message: "[<id>]" };
  return post(`${url}/rest/v1/contact_messages`, apikey, message, connections);
}

/** Signs in to one account, each time from another address. Returns the rate. */
async function signIn(url: string, apikey: string, account: object): Promise<number> {
  const { rate } = await post(`${url}/auth/v1/token?grant_type=password`, apikey, account, 8);
  return rate;
}

/** Posts as fast as the server answers, with a client that uses little CPU. */
export async function post(url: string, apikey: string, body: object, clients: number) {
  const result = await autocannon({
    url,
    connections: clients,
    duration: seconds,
    idReplacement: true,
    requests: [
      {
        method: "POST",
        body: JSON.stringify(body),
        setupRequest: (request) => ({
          ...request,
          headers: {
            apikey,
            "Content-Type": "application/json",
            "X-Forwarded-For": newAddress(),
          },
        }),
      },
    ],
  });
  if (result.errors > 0 || result.non2xx > 0) {
    throw new Error(`${url}: ${result.errors} errors, ${result.non2xx} were refused`);
  }
  return { rate: result["2xx"] / result.duration, answered: result["2xx"] };
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
