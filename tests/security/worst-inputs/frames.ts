import { once } from "node:events";
import { WebSocket } from "ws";
import { newAddress } from "#tests/support/address.ts";
import { deepJson, kilobyte, type Target, wideJson, type WorstInput, worstTexts } from "./texts.ts";

const joinFrame = (payload: string) => `["1","1","realtime:x","phx_join",${payload}]`;
const filtered = (filter: string) =>
  `{"event":"*","schema":"public","table":"contact_messages","filter":"${filter}"}`;

/** Frames of /realtime/v1, with the token of an account. */
export function worstFrames(target: Target): WorstInput[] {
  const size = 60 * kilobyte;
  const token = target.account.session().access_token;
  const join = (bindings: string) =>
    joinFrame(`{"access_token":"${token}","config":{"postgres_changes":[${bindings}]}}`);
  const fifty = Array.from({ length: 50 }, (_, n) => filtered(`name=eq.${n}${"x".repeat(70)}`));
  const frames: [string, string | Buffer][] = [
    ["deep JSON", deepJson(size)],
    ["a deep payload", joinFrame(deepJson(size))],
    ["a wide payload", joinFrame(wideJson(size))],
    ["no JSON", "[".repeat(size)],
    ["empty bindings", join(`${"{},".repeat(size / 3 - 700)}{}`)],
    ["numbers as bindings", join(`${"1,".repeat(size / 2 - 1000)}1`)],
    ["fifty bindings", join(fifty.join(","))],
    ["a list in a filter", join(filtered(`name=in.(${"a,".repeat(size / 2 - 1500)}a)`))],
    ["marks in a filter", join(filtered(`name=eq.${"\u0301\u0316".repeat(size / 5)}`))],
    ["brackets in a filter", join(filtered("(".repeat(size - 3000)))],
    ["a long token", joinFrame(`{"access_token":"${"a.".repeat(size / 2 - 100)}"}`)],
    ["a binary frame", Buffer.alloc(size, 3)],
    ...worstTexts(size / 2).map(([what, text]): [string, string] => [
      `${what} as a topic`,
      JSON.stringify(["1", "1", text, "phx_join", {}]),
    ]),
  ];
  return frames.map(([name, sent]) => ({ name, send: () => sendFrame(target, sent) }));
}

async function sendFrame({ site, api }: Target, frame: string | Buffer) {
  const address = `${site.url.replace("http", "ws")}/realtime/v1/websocket`;
  const socket = new WebSocket(`${address}?apikey=${api.keys.publishableKey}&vsn=2.0.0`, {
    headers: { "X-Forwarded-For": newAddress() },
  });
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.on("error", () => undefined);
  await once(socket, "open");
  socket.send(frame);
  socket.send(`["2","2","phoenix","heartbeat",{}]`);
  await Promise.race([closed, once(socket, "message")]);
  socket.close();
  await closed;
}
