import { childrenOf, isAlive, postmasterPid } from "embedded-supabase/testing";
import { beforeAll, expect, test } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { cookieOf, openTab } from "#tests/support/live.ts";
import { readMessages, storeMessages } from "#tests/support/messages.ts";
import type { FateOf } from "#tests/support/proxy.ts";
import { receiptPath, sendForReceipt, storedWith } from "#tests/support/receipts.ts";
import { useHostedSite } from "#tests/support/use-hosted-site.ts";
import { useOwner, useOwnSite } from "#tests/support/use-site.ts";
import { newCredentials, Visitor } from "#tests/support/visitor.ts";
import { within } from "#tests/support/within.ts";

// One table of what each page and form answers while a service hangs, refuses or is down: beside a hosted
// Supabase, whose gateway has faults, and beside the embedded one, whose PostgreSQL hangs.
const { gateway, site: hosted, signedInFor } = useHostedSite();
const { site: embedded, owner } = useOwner(useOwnSite());

interface World {
  site: { url: string };
  /** Is signed in. */
  reader: Visitor;
  visitor: Visitor;
  /** Belongs to the visitor's message. */
  receipt: string;
  /** The id of a message that gets a note. */
  noted: string;
}

interface Ask {
  send(world: World): Promise<{ status: number; text: string }>;
  /** What the page of a fault has. */
  shows?: string[];
}

const text = "نص لا يضيع";
const sender = { name: "نورة", email: "noura@example.com" };
const message = { ...sender, message: text, t_extra: "" };
const stranger = newCredentials();

const asks = {
  board: {
    send: ({ reader }) => reader.get("/admin"),
    shows: ["فشل تحميل الرسائل", "جاري التحميل..."],
  },
  account: { send: ({ reader }) => reader.get("/account") },
  claim: { send: ({ reader }) => reader.get("/admin/claim") },
  contact: { send: ({ visitor }) => visitor.get("/") },
  privacy: { send: ({ visitor }) => visitor.get("/privacy") },
  thanks: { send: ({ visitor, receipt }) => visitor.get(`/?sent=${receipt}`) },
  receipt: { send: ({ visitor, receipt }) => visitor.get(receiptPath(receipt)) },
  socket: {
    async send({ site, reader }) {
      const { socket, status } = openTab(site, { cookie: cookieOf(reader), address: newAddress() });
      const given = await status;
      socket.close();
      return { status: given, text: "" };
    },
  },
  message: { send: ({ visitor }) => visitor.post("/", message), shows: [text] },
  note: {
    send: ({ reader, noted }) => reader.post(`/admin?open=${noted}`, { id: noted, note: text }),
    shows: ["عطل مؤقت", `>${text}</textarea>`],
  },
  signIn: {
    send: ({ site }) => new Visitor(site).post("/auth", stranger),
    shows: ["تعذّر إتمام الطلب", stranger.email],
  },
  forgot: {
    send: ({ site }) => new Visitor(site).post("/auth/forgot", stranger),
    shows: ["تعذّر إتمام الطلب", stranger.email],
  },
} satisfies Record<string, Ask>;

type Statuses = Partial<Record<keyof typeof asks, number>>;

// The deadline of a page is 5 seconds, of a form 10. The rest is for a busy machine.
const seconds = (name: string) => (["message", "note", "signIn", "forgot"].includes(name) ? 13 : 8);

/** Asks for all at once. Returns the texts of the pages. */
async function expectAnswers(world: World, statuses: Statuses): Promise<Map<string, string>> {
  const names = Object.keys(statuses) as (keyof typeof asks)[];
  const answers = await Promise.all(
    names.map((name) => within(seconds(name), asks[name].send(world))),
  );
  expect(answers.map(({ status }, at) => [names[at], status])).toEqual(Object.entries(statuses));
  for (const [at, name] of names.entries()) {
    const { shows = [] }: Ask = asks[name];
    const { status = 0, text: page = "" } = answers[at] ?? {};
    const missing = status < 500 ? [] : shows.filter((part) => !page.includes(part));
    expect([name, missing]).toEqual([name, []]);
  }
  return new Map(answers.map(({ text: page }, at) => [names[at] ?? "", page]));
}

/** The parts that the health check calls down. */
async function downIn({ url }: { url: string }): Promise<string[]> {
  const health = await within(4, fetch(`${url}/healthz`));
  const parts: [string, unknown][] = Object.entries(await health.json());
  const down = parts.filter(([, state]) => state === "down").map(([name]) => name);
  expect(health.status).toBe(down.length === 0 ? 200 : 503);
  return down;
}

beforeAll(async () => {
  // The site then knows the keys of tokens.
  await (await signedInFor(hour)).get("/admin");
});

const to =
  (prefix: string, fate: ReturnType<FateOf>): FateOf =>
  (path) =>
    path.startsWith(prefix) ? fate : "pass";

const hour = 3600;
const all = ["database", "authentication"];
const refused = { board: 503, account: 503, message: 503, signIn: 503 };
const hangs = { ...refused, socket: 503, contact: 200, privacy: 200 };
const refresh = "/auth/v1/token?grant_type=refresh_token";

interface Fault {
  fate: FateOf;
  /** How many seconds the reader's access token is valid. */
  life?: number;
  down?: string[];
  statuses: Statuses;
}

const faults: Record<string, Fault> = {
  "a Supabase that does not answer": { fate: to("/", "swallow"), down: all, statuses: hangs },
  "answers that do not end": { fate: to("/", "stall"), down: all, statuses: hangs },
  "a gateway that refuses": {
    fate: to("/", { status: 401, body: { message: "Invalid API key" } }),
    down: all,
    statuses: refused,
  },
  "a database that is down": {
    fate: to("/rest/", 503),
    down: ["database"],
    statuses: { board: 503, message: 503, signIn: 503 },
  },
  "an authentication that is down": {
    fate: to("/auth/", 503),
    down: ["authentication"],
    statuses: { board: 200, account: 200, message: 302, signIn: 503 },
  },
  "an authentication that hangs in the last minute of a token": {
    fate: to("/auth/", "swallow"),
    life: 60,
    down: ["authentication"],
    statuses: { board: 200, account: 200, message: 302, signIn: 503 },
  },
  "a limit of the authentication": {
    fate: to("/auth/v1/user", 429),
    statuses: { board: 200, account: 200 },
  },
};
// The last three come from a gateway, from other refreshes under way, and from a hook.
for (const fate of [429, 500, 502, "swallow", 401, 409, 422] as const) {
  const statuses = { board: 503, claim: 503, forgot: 302 };
  faults[`a refresh: ${fate}`] = { fate: to(refresh, fate), life: -60, statuses };
}

test.each(Object.entries(faults))(
  "hosted, %s: pages and forms answer in time, and the session goes on",
  async (_what, { fate, life = hour, down = [], statuses }) => {
    const reader = await signedInFor(life);
    const session = reader.cookies.get("session");
    gateway.setRequests(fate);
    const world = { site: hosted, reader, visitor: new Visitor(hosted), receipt: "", noted: "" };
    await expectAnswers(world, statuses);
    await expect.poll(() => downIn(hosted)).toEqual(down);
    expect(reader.cookies.get("session")).toBe(session);

    gateway.setRequests(() => "pass");
    expect((await reader.get("/admin")).status).toBe(200);
    await expect.poll(() => downIn(hosted)).toEqual([]);
  },
);

/** PostgreSQL then accepts connections but does not respond, until woken up or restarted. */
async function hangDatabase(): Promise<() => void> {
  const postmaster = await postmasterPid(embedded.dataDir);
  const processes = [postmaster, ...childrenOf(postmaster)];
  const send = (signal: NodeJS.Signals) =>
    processes.filter(isAlive).forEach((pid) => process.kill(pid, signal));
  send("SIGSTOP");
  return () => send("SIGCONT");
}

test("embedded, a database that hangs: pages and forms answer in time, and nothing is lost", async () => {
  const visitor = new Visitor(embedded);
  const receipt = await sendForReceipt(embedded, "رسالة لها إيصال");
  const [stored] = await storeMessages(embedded.dataDir, [{ ...sender, message: "سلام" }]);
  const world = { site: embedded, reader: owner, visitor, receipt, noted: stored?.id ?? "" };
  // The pages were open before, so the session is known, and there are connections.
  await expectAnswers(world, { board: 200, thanks: 200, receipt: 200 });
  const wake = await hangDatabase();
  const pages = await expectAnswers(world, {
    board: 503,
    receipt: 503,
    thanks: 200,
    privacy: 200,
    message: 503,
    note: 503,
    signIn: 503,
    forgot: 503,
  }).finally(wake);
  expect(pages.get("thanks")).toContain("وصلت رسالتك");
  expect(pages.get("message")).toContain("لا يُعرف هل وصلت رسالتك");
  expect(pages.get("message")).not.toContain("لم تُرسل رسالتك");

  await expect.poll(async () => (await owner.get("/admin")).status, { timeout: 50_000 }).toBe(200);
  // PostgreSQL stores the message now. If it was restarted meanwhile, it has lost it.
  const repeat = async () => (await visitor.post("/", message)).headers.location;
  await expect.poll(repeat, { timeout: 30_000 }).toMatch(/\?sent=./);
  expect(await storedWith(embedded, text)).toHaveLength(1);
  await expectAnswers(world, { note: 302, board: 200 });
  expect((await readMessages(embedded.dataDir)).map(({ note }) => note)).toContain(text);
});
