import { createHmac } from "node:crypto";
import { beforeEach, expect } from "vitest";
import { receiptPath, sendForReceipt, storedWith } from "#tests/support/receipts.ts";
import { test } from "#tests/support/site-test.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { ask, Visitor } from "#tests/support/visitor.ts";

let text = "";
beforeEach(() => {
  text = `أريد صفحة ${crypto.randomUUID()}`;
});

test("no forged receipt opens or deletes anything", async ({ site, api }) => {
  const [mine = "", myMac = ""] = (await sendForReceipt(site, `${text} لي`)).split(".");
  const others = await sendForReceipt(site, text);
  const [id = "", mac = ""] = others.split(".");
  const secret = api.keys.derive("cookie").toString("base64url");
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
    // Signed by the site, for something else.
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

test("no other site, no other method and no large form deletes anything", async ({ site }) => {
  const path = receiptPath(await sendForReceipt(site, text));
  const type = { "Content-Type": "application/x-www-form-urlencoded" };
  const foreign = { Origin: "https://evil.example", ...type };
  expect((await ask(site, "POST", path, { headers: foreign })).status).toBe(403);
  for (const method of ["GET", "HEAD", "OPTIONS", "DELETE", "PUT", "PATCH"]) {
    await ask(site, method, path, { headers: { Origin: site.url, ...type } });
  }
  const huge = await new Visitor(site).post(path, { x: "y".repeat(530_000) });
  expect(huge.status).toBe(413);
  expect(await storedWith(site, text)).toHaveLength(1);
});

test("only its sender gets the receipt of a repeated message", async ({ site }) => {
  const sender = new Visitor(site);
  const receipt = await sendForReceipt(site, text, { sender });
  expect(receipt).not.toBe("");
  expect(await sendForReceipt(site, text, { sender })).toBe(receipt);
  // Another message: it has not the number that the receipt shows.
  expect(await sendForReceipt(site, text, { sender, phone: "" })).not.toBe(receipt);
});

test("who sends a message before its sender does cannot delete the sender's", async ({ site }) => {
  const thief = new Visitor(site);
  const copy = await sendForReceipt(site, text, { sender: thief });
  const receipt = await sendForReceipt(site, text);
  expect([receipt === "", receipt === copy]).toEqual([false, false]);
  expect(await sendForReceipt(site, text, { sender: thief })).toBe(copy);
  await thief.post(receiptPath(copy));
  expect(await storedWith(site, text)).toHaveLength(1);
  expect((await ask(site, "GET", receiptPath(receipt))).text).toContain(text);
});

test("when a crash has forgotten who sent a message, nobody gets its receipt", async ({ site }) => {
  await sendForReceipt(site, text);
  await withSuperuser(site.dataDir, (sql) => sql`truncate private.attempts`);
  expect(await sendForReceipt(site, text)).toBe("");
  expect(await storedWith(site, text)).toHaveLength(1);
});

test("a receipt stays out of caches, search engines, other sites and the log", async ({ site }) => {
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
  // As mail programs and people break links.
  for (const broken of ["%3Ft=", "%3ft%3d", "&t=", ";t=", "/t="]) {
    expect((await ask(site, "GET", `/receipt${broken}${receipt}`)).status).toBe(404);
  }
  await expect.poll(() => site.output()).toContain("A message was deleted by its sender");
  expect(site.output()).not.toContain(receipt.split(".")[1]);
});
