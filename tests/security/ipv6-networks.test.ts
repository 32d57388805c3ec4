import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { openApi, type Api } from "#tests/support/api.ts";
import { openTab } from "#tests/support/live.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { signedUp } from "#tests/support/visitor.ts";

let site: RunningSite;
let api: Api;
beforeAll(async () => {
  site = await startSite();
  api = await openApi(site);
});
afterAll(() => site?.stop());

async function sendFrom(address: string, text: string): Promise<number> {
  const message = { name: "زائر", email: "visitor@example.com", message: text };
  const caller = { ...api.anon, address };
  return (await api.send(caller, "POST", "/rest/v1/contact_messages", message)).status;
}

test("a /48 can send ten times as many messages as a /64, and another /48 is not affected", async () => {
  const sent: number[] = [];
  for (let number = 0; number < 110; number += 1) {
    sent.push(await sendFrom(`2001:db8:7:${number}::1`, `رسالة رقم ${number}`));
  }
  expect(sent.filter((status) => status === 201)).toHaveLength(100);
  expect(sent.slice(100)).toEqual(Array.from({ length: 10 }, () => 429));
  expect(await sendFrom("2001:db8:8::1", "رسالة الجار")).toBe(201);
});

const socketFrom = (address: string) =>
  new Promise<WebSocket | undefined>((resolve) => {
    const url = `${site.url.replace("http", "ws")}/realtime/v1/websocket?apikey=${api.keys.publishableKey}`;
    const socket = new WebSocket(url, { headers: { "X-Forwarded-For": address } });
    socket.once("open", () => resolve(socket));
    socket.once("error", () => resolve(undefined));
  });

test("strangers' Realtime sockets do not shut out the live inbox", async () => {
  const owner = await signedUp(site);
  const sockets: (WebSocket | undefined)[] = [];
  for (let network = 0; network < 11; network += 1) {
    const address = `2001:db8:${network + 100}:1::1`;
    sockets.push(...(await Promise.all(Array.from({ length: 100 }, () => socketFrom(address)))));
  }
  expect(sockets.filter((socket) => socket !== undefined)).toHaveLength(1_000);
  expect(await socketFrom("192.0.2.77")).toBeUndefined();
  const cookie = Array.from(owner.cookies, (pair) => pair.join("=")).join("; ");
  const tab = openTab(site, { cookie, address: owner.address });
  expect(await tab.status).toBe(101);
  expect(await sendFrom("192.0.2.78", "رسالة تصل حالا")).toBe(201);
  await expect.poll(() => tab.frames.length, { timeout: 10_000 }).toBe(1);
  tab.socket.terminate();
  sockets.forEach((socket) => socket?.terminate());
});

test("ten networks of one /48 cannot take all Realtime sockets", async () => {
  const sockets: (WebSocket | undefined)[] = [];
  for (let network = 0; network < 10; network += 1) {
    const address = `2001:db8:9:${network}::1`;
    sockets.push(...(await Promise.all(Array.from({ length: 100 }, () => socketFrom(address)))));
  }
  expect(sockets.filter((socket) => socket !== undefined)).toHaveLength(300);
  const other = await socketFrom("192.0.2.79");
  expect(other).toBeDefined();
  [other, ...sockets].forEach((socket) => socket?.terminate());
});
