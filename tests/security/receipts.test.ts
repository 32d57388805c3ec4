import { createHmac } from "node:crypto";
import { loadKeys } from "embedded-supabase/testing";
import { beforeEach, expect, test } from "vitest";
import { openTab } from "#tests/support/live.ts";
import { receiptPath, sendForReceipt, storedWith } from "#tests/support/receipts.ts";
import { without, withSuperuser } from "#tests/support/superuser.ts";
import { useClaimedSite } from "#tests/support/use-site.ts";
import { ask, Visitor } from "#tests/support/visitor.ts";

const { site, owner } = useClaimedSite();

let text = "";
beforeEach(() => {
  text = `أريد صفحة ${crypto.randomUUID()}`;
});

test("no forged receipt opens or deletes anything", async () => {
  const [mine = "", myMac = ""] = (await sendForReceipt(site, `${text} لي`)).split(".");
  const others = await sendForReceipt(site, text);
  const [id = "", mac = ""] = others.split(".");
  const { derive } = await loadKeys(site.dataDir);
  const secret = derive("cookie").toString("base64url");
  const sign = (purpose: string, key: string) =>
    createHmac("sha256", key).update(`${purpose}${id}`).digest().subarray(0, 16);
  const forged = [
    "",
    ".",
    id,
    `${id}.`,
    `${id}.${myMac}`,
    `${mine}.${mac}`,
    `${id}.${mac.slice(0, -1)}`,
    `${id}.${mac}x`,
    `${others}.${mac}`,
    `${id}.${sign("receipt ", "").toString("base64url")}`,
    // The site signed it for another purpose.
    `${id}.${sign("", secret).toString("base64url")}`,
    `${id}.${sign(`done ${id} `, secret).toString("base64url")}`,
    "x".repeat(4_000),
    `${"x.".repeat(2_000)}${mac}`,
    "%00",
    "__proto__",
    "%F0%9F%92%A9.%D8%B9",
  ];
  for (const receipt of forged) {
    const read = await ask(site, "GET", receiptPath(receipt));
    expect([receipt, read.status, read.text.includes(text)]).toEqual([receipt, 404, false]);
    const { status, headers } = await new Visitor(site).post(receiptPath(receipt));
    expect([receipt, status, headers.location]).toEqual([receipt, 302, "/receipt"]);
    const thanks = await ask(site, "GET", `/?sent=${receipt}`);
    expect([receipt, thanks.text.includes("إيصال رسالتك")]).toEqual([receipt, false]);
  }
  expect(await storedWith(site, text)).toHaveLength(1);
});

test("no other method deletes anything", async () => {
  const path = receiptPath(await sendForReceipt(site, text));
  const type = { "Content-Type": "application/x-www-form-urlencoded" };
  for (const method of ["GET", "HEAD", "OPTIONS", "DELETE", "PUT", "PATCH"]) {
    await ask(site, method, path, { headers: { Origin: site.url, ...type } });
  }
  expect(await storedWith(site, text)).toHaveLength(1);
});

test("a receipt stays out of caches, search engines, other sites and the log", async () => {
  const receipt = await sendForReceipt(site, text);
  const { headers, text: html } = await ask(site, "GET", receiptPath(receipt));
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect(headers).toMatchObject({
    "cache-control": expect.stringContaining("no-store"),
    "referrer-policy": "same-origin",
    "x-robots-tag": "noindex",
  });
  const thanks = await ask(site, "GET", `/?sent=${receipt}`);
  expect(thanks.headers["cache-control"]).toContain("no-store");
  expect(thanks.text).toContain('<meta name="robots" content="noindex"/>');
  await new Visitor(site).post(receiptPath(receipt));
  await ask(site, "GET", receiptPath(`${receipt}x`));
  // Mail programs and people break links like this.
  for (const broken of ["%3Ft=", "%3ft%3d", "&t=", ";t=", "/t="]) {
    expect((await ask(site, "GET", `/receipt${broken}${receipt}`)).status).toBe(404);
  }
  await expect.poll(() => site.output()).toContain("A message was deleted by its sender");
  expect(site.output()).not.toContain(receipt.split(".")[1]);
});

const send = (more?: Parameters<typeof sendForReceipt>[2]) => sendForReceipt(site, text, more);
const stored = () => storedWith(site, text);
const waiting = (id: string) =>
  withSuperuser(
    site.dataDir,
    async (sql) => (await sql`select from private.notifications where message_id = ${id}`).count,
  );

test("what is deleted is gone from lists, search, export, undo, waiting notifications and open boards", async () => {
  const path = receiptPath(await send());
  const [{ id = "" } = {}] = await stored();
  const tab = openTab(site, { cookie: owner.cookieHeader(), address: owner.address });
  expect(await tab.status).toBe(101);
  await owner.post("/admin", { id, note: "سر" });
  const archived = await owner.post("/admin", { action: "archive", one: id });
  // One for each of the two changes.
  await expect.poll(() => tab.frames.filter((frame) => frame === "null")).toHaveLength(2);
  // One for each channel.
  expect(await waiting(id)).toBe(2);
  const query = `q=${encodeURIComponent(text)}&box=any`;
  const paths = [
    "/admin?box=archived",
    `/admin?${query}`,
    "/admin/export?box=archived&format=jsonl",
  ];
  const shows = async (at: string) => (await owner.get(at)).text.includes(id);
  expect(await Promise.all(paths.map(shows))).toEqual([true, true, true]);

  await new Visitor(site).post(path);
  await expect.poll(() => tab.frames.filter((frame) => frame === "null")).toHaveLength(3);
  tab.socket.close();
  expect(await waiting(id)).toBe(0);
  expect(await Promise.all(paths.map(shows))).toEqual([false, false, false]);
  const undo = new URL(archived.headers.location ?? "", site.url).searchParams.get("done") ?? "";
  expect((await owner.post("/admin", { undo })).status).toBe(409);
  expect(await stored()).toEqual([]);
});

test("a trap that is filled or missing makes a message spam, which has a receipt like any other", async () => {
  const spam = await send({ t_extra: "x" });
  expect((await ask(site, "GET", receiptPath(spam))).text).toContain(text);
  // A program that sends the fields that it sees.
  await new Visitor(site).post("/", { name: "ن", email: "a@example.com", message: text });
  const messages = await stored();
  expect(await Promise.all(messages.map(({ id }) => waiting(id)))).toEqual([0, 0]);
});

test("while the database fails, a receipt says so in Arabic, and deletes nothing", async () => {
  const path = receiptPath(await send());
  const visitor = new Visitor(site);
  const kept = await without(site, "withdraw_message", () => visitor.post(path));
  const unread = await without(site, "read_receipt", () => visitor.get(path));
  for (const { status, text: page } of [kept, unread]) {
    expect([status, page.includes("بسبب عطل مؤقت في الموقع")]).toEqual([503, true]);
  }
  expect(unread.text).toContain("<title>تعذّر فتح رسالتك الآن</title>");
  expect(unread.text).not.toContain("Unexpected Application Error!");
  expect(unread.headers["x-robots-tag"]).toBe("noindex");
  expect(await stored()).toHaveLength(1);
  await expect.poll(() => site.output()).toContain("withdraw_message of the database failed: 400");
});
