import { afterAll, beforeAll, expect, test } from "vitest";
import { openApi, type Api } from "#tests/support/api.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";

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
