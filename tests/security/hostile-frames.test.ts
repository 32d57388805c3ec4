import { createClient } from "@supabase/supabase-js";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { newAddress } from "#tests/support/address.ts";
import { type Api, openApi } from "#tests/support/api.ts";
import { bytes, json, stack, text } from "#tests/support/hostile/inputs.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { ask, signedUp } from "#tests/support/visitor.ts";

const seed = Number(process.env["HOSTILE_SEED"] ?? 20_261_121);
const secret = "row-that-nobody-but-the-owner-reads";
const topic = "realtime:contact_messages_changes";
const changes = [{ event: "*", schema: "public", table: "contact_messages" }];

let site: RunningSite;
let api: Api;
let strangersToken: string;
/** The events and channel states of the owner's inbox. */
const inbox = { rows: [] as unknown[], states: [] as string[] };
let closeInbox: () => Promise<unknown>;
beforeAll(async () => {
  site = await startSite();
  api = await openApi(site);
  const owner = await signedUp(site);
  await api.claim(owner.session().access_token);
  strangersToken = (await signedUp(site)).session().access_token;
  const client = createClient(site.url, api.keys.publishableKey, {
    accessToken: async () => owner.session().access_token,
  });
  closeInbox = () => client.realtime.disconnect();
  await client.realtime.setAuth();
  client
    .channel("inbox")
    .on("postgres_changes", changes[0] as { event: "*"; schema: string }, (payload) => {
      inbox.rows.push((payload.new as { message: string }).message);
    })
    .subscribe((state) => void inbox.states.push(state));
  await vi.waitUntil(() => inbox.states.includes("SUBSCRIBED"), 10_000);
}, 60_000);
afterAll(async () => {
  await closeInbox?.();
  await site?.stop();
});

const versions = ["1.0.0", "2.0.0"];

/** Opens a socket of a new visitor. */
async function open(version: string | undefined) {
  const socket = new WebSocket(
    `${site.url.replace("http", "ws")}/realtime/v1/websocket?apikey=${api.keys.publishableKey}&vsn=${version}`,
    { headers: { "X-Forwarded-For": newAddress() } },
  );
  const heard: string[] = [];
  socket.on("message", (data) => heard.push(String(data)));
  socket.on("error", () => {});
  const closed = new Promise<number>((resolve) => void socket.once("close", resolve));
  await new Promise((resolve) => socket.once("open", resolve));
  return { socket, heard, closed };
}

const short = (most: number) => text.map((value) => value.slice(0, most));

/** Well-formed frames with hostile content. */
function frames(token: string) {
  const event = fc.constantFrom("phx_join", "access_token", "phx_leave", "broadcast", "presence");
  return fc
    .record({
      join_ref: fc.option(fc.oneof(fc.constantFrom("1", "2"), short(64))),
      ref: fc.option(short(64)),
      topic: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(topic, "realtime:", "phoenix", "realtime:x") },
        { weight: 1, arbitrary: short(1_000) },
      ),
      event: fc.oneof({ weight: 4, arbitrary: event }, { weight: 1, arbitrary: short(200) }),
      payload: fc.oneof(
        fc.jsonValue(),
        fc.constant({ config: { postgres_changes: changes } }),
        fc.constantFrom({ access_token: token }, { access_token: "a.b.c" }),
        fc.constant({ access_token: token, config: { postgres_changes: changes } }),
        text.map((filter) => ({
          access_token: token,
          config: { postgres_changes: [{ ...changes[0], filter }, { select: [filter] }] },
        })),
        text.map((name) => ({ config: { postgres_changes: [{ schema: name, table: name }] } })),
      ),
    })
    .filter((frame) => JSON.stringify(frame).length < 60_000);
}

test("hostile frames receive no foreign row and leave the sockets open", async () => {
  const list = fc.sample(frames(strangersToken), { numRuns: 1_000, seed });
  const heard: string[] = [];
  const sent: string[] = [];
  for (let index = 0; index < list.length; index += 20) {
    const version = versions[(index / 20) % 2];
    const connection = await open(version);
    const send = (frame: (typeof list)[number]) =>
      connection.socket.send(
        JSON.stringify(
          version === "1.0.0"
            ? frame
            : [frame.join_ref, frame.ref, frame.topic, frame.event, frame.payload],
        ),
      );
    for (const frame of list.slice(index, index + 20)) {
      send(frame);
    }
    // The reply comes after all frames before it have been handled.
    const last = { join_ref: null, topic: "phoenix", event: "heartbeat", payload: {} };
    send({ ...last, ref: "before the row" });
    const has = (ref: string) => () => connection.heard.some((line) => line.includes(ref));
    await expect.poll(has("before the row"), { timeout: 20_000, interval: 5 }).toBe(true);
    sent.push(`${secret} ${index}`);
    const row = { name: secret, email: "s@example.com", message: sent.at(-1) };
    const { status } = await api.send(api.service, "POST", "/rest/v1/contact_messages", row);
    expect(status).toBe(201);
    // Once the owner has the row, others would receive it before their next reply.
    await expect.poll(() => inbox.rows, { timeout: 20_000, interval: 5 }).toEqual(sent);
    send({ ...last, ref: "after the row" });
    await expect.poll(has("after the row"), { timeout: 20_000, interval: 5 }).toBe(true);
    heard.push(...connection.heard);
    connection.socket.terminate();
  }
  expect(heard.filter((line) => line.includes(secret) || stack.test(line))).toEqual([]);
  const subscribed = heard.filter((line) => line.includes("Subscribed to PostgreSQL"));
  expect(subscribed.length).toBeGreaterThan(5);
  expect(inbox.states).toEqual(["SUBSCRIBED"]);
}, 120_000);

const isFrame = (part: string) => /^\s*(\[.*,.*,.*,.*,|\{.*"topic")/s.test(part);

test("a malformed frame closes only its own socket", async () => {
  const malformed = fc.oneof(
    json.filter((part) => !isFrame(part)),
    // 3 is the code of a broadcast.
    bytes.filter((part) => part[0] !== 3).map((part) => Buffer.from(part)),
  );
  const codes = new Set<number>();
  for (const [index, part] of fc.sample(malformed, { numRuns: 300, seed }).entries()) {
    const { socket, closed } = await open(versions[index % 2]);
    socket.send(part);
    codes.add(await closed);
  }
  // Malformed or too large.
  expect([...codes].filter((code) => code !== 1007 && code !== 1009)).toEqual([]);
  const row = { name: secret, email: "s@example.com", message: "after all" };
  await api.send(api.service, "POST", "/rest/v1/contact_messages", row);
  await expect.poll(() => inbox.rows.at(-1), { timeout: 20_000 }).toBe("after all");
  expect(inbox.states).toEqual(["SUBSCRIBED"]);
  expect((await ask(site, "GET", "/healthz")).status).toBe(200);
}, 120_000);

test("the log holds no stack and no row", () => {
  expect(site.output()).not.toMatch(/stack=/);
  expect(site.output()).not.toContain(secret);
});
