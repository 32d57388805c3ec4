import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";

import { type RunningSite, startSite } from "../e2e/site.ts";
import { type Api, openApi } from "./api.ts";
import { bytes, type Input, inputs, json, type Senders, text, toBytes } from "./hostile-inputs.ts";
import { memoryOf, raw, requestBytes } from "./raw.ts";
import { ask, newAddress, signedUp, type Visitor } from "./visitor.ts";

const seed = Number(process.env["HOSTILE_SEED"] ?? 20_261_121);
const secret = "row-that-nobody-but-the-owner-reads";

let site: RunningSite;
let api: Api;
let stranger: Visitor;
beforeAll(async () => {
  site = await startSite();
  api = await openApi(site);
  const owner = await signedUp(site);
  await api.send(api.service, "POST", "/rest/v1/contact_messages", {
    name: secret,
    email: `${secret}@example.com`,
    message: secret,
  });
  await owner.post("/admin/claim");
  stranger = await signedUp(site);
}, 60_000);
afterAll(() => site?.stop());

const stack = /\n\s+at .+:\d+|node_modules|PostgresError|TypeError|supabase\/embedded/;

/** What is wrong with an answer to such an input; undefined if nothing is. */
function fault(answer: string): string | undefined {
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
  if (status === 0 || status >= 500) return `status ${status}`;
  if (answer.includes(secret)) return "a foreign row";
  if (stack.test(answer)) return "a stack";
  return /^x-split:/im.test(answer.split("\r\n\r\n")[0] ?? "")
    ? "a header of the sender's"
    : undefined;
}

it("10,000 hostile requests bring no failure, no stack and no foreign row", async () => {
  const before = await memoryOf(site.dataDir);
  const list = fc.sample(inputs, { numRuns: 10_000, seed });
  const senders: Senders = {
    siteUrl: site.url,
    publishableKey: api.keys.publishableKey,
    cookie: stranger
      .sessionCookies()
      .map((pair) => pair.join("="))
      .join("; "),
    token: stranger.session().access_token,
  };
  const faults: string[] = [];
  let next = 0;
  async function work() {
    for (let index = next++; index < list.length; index = next++) {
      const input = list[index] as Input;
      const answer = await raw(site, toBytes(input, senders)).catch(
        (error: Error) => `no answer: ${error.message}`,
      );
      const found = fault(answer);
      if (found)
        faults.push(
          `${found}; HOSTILE_SEED=${seed} number ${index}: ${JSON.stringify(input).slice(0, 600)} -> ${answer.slice(-200)}`,
        );
    }
  }
  await Promise.all(Array.from({ length: 8 }, work));
  expect(faults.slice(0, 10)).toEqual([]);
  expect((await ask(site, "GET", "/healthz")).status).toBe(200);
  expect(await memoryOf(site.dataDir)).toBeLessThan(before + 300 * 1024 * 1024);
}, 180_000);

it("a body that never ends is refused before it is kept", async () => {
  const before = await memoryOf(site.dataDir);
  const big = Buffer.alloc(64 * 1024 * 1024, "a");
  const paths = ["/?index", "/auth", "/rest/v1/contact_messages", "/auth/v1/signup"];
  for (const target of paths) {
    for (const chunked of [true, false]) {
      const headers: [string, string][] = [
        ["Origin", site.url],
        ["apikey", api.keys.publishableKey],
        [
          "Content-Type",
          target.includes("v1") ? "application/json" : "application/x-www-form-urlencoded",
        ],
      ];
      const request = requestBytes({ method: "POST", target, headers, body: big, chunked });
      const answer = await raw(site, request).catch(() => "cut");
      expect([target, answer.slice(0, 12)]).toEqual([
        target,
        expect.stringMatching(/^(cut|HTTP\/1\.1 41[13]|)$/),
      ]);
    }
  }
  expect((await ask(site, "GET", "/healthz")).status).toBe(200);
  expect(await memoryOf(site.dataDir)).toBeLessThan(before + 150 * 1024 * 1024);
}, 60_000);

it("hostile frames bring no foreign row and do not end the live channel", async () => {
  const frame = fc.oneof(
    fc
      .tuple(
        fc.option(text),
        fc.option(text),
        fc.oneof(text, fc.constant("realtime:contact_messages_changes"), fc.constant("phoenix")),
        fc.oneof(
          text,
          fc.constantFrom(
            "phx_join",
            "phx_leave",
            "access_token",
            "heartbeat",
            "broadcast",
            "presence",
          ),
        ),
        fc.oneof(
          fc.jsonValue(),
          fc.constant({
            config: {
              postgres_changes: [{ event: "*", schema: "public", table: "contact_messages" }],
            },
          }),
          json.map(String),
        ),
      )
      .map((parts) => JSON.stringify(parts)),
    json,
    bytes.map((part) => Buffer.from(part)),
  );
  const frames = fc.sample(frame, { numRuns: 1000, seed });
  const heard: string[] = [];
  for (let index = 0; index < frames.length; index += 50) {
    const socket = new WebSocket(
      `${site.url.replace("http", "ws")}/realtime/v1/websocket?apikey=${api.keys.publishableKey}&vsn=${index % 100 ? "1.0.0" : "2.0.0"}`,
      { headers: { "X-Forwarded-For": newAddress() } },
    );
    socket.on("message", (data) => heard.push(String(data)));
    socket.on("error", () => {});
    await new Promise((resolve) => socket.once("open", resolve).once("close", resolve));
    for (const part of frames.slice(index, index + 50)) socket.send(part, () => {});
    if (index === 0)
      await api.send(api.service, "POST", "/rest/v1/contact_messages", {
        name: secret,
        email: "s@example.com",
        message: `${secret} live`,
      });
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.terminate();
  }
  expect(heard.filter((line) => line.includes(secret) || stack.test(line))).toEqual([]);
  expect((await ask(site, "GET", "/healthz")).status).toBe(200);
}, 60_000);

it("leave no stack of a failure in the log", () => {
  expect(
    site
      .output()
      .match(/.*\n(\s+at .+\n)+/g)
      ?.slice(0, 3) ?? [],
  ).toEqual([]);
  expect(site.output()).not.toContain(secret);
});
