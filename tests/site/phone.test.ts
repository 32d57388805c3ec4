import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { readMessages } from "#tests/support/messages.ts";
import { test } from "#tests/support/site-test.ts";
import { root } from "#tests/support/site.ts";
import { ask, Visitor } from "#tests/support/visitor.ts";

const message = { name: "نورة", email: "noura@example.com", message: "أريد صفحة", t_extra: "" };

test.for([
  "12",
  "05".repeat(250_000),
  "0\u0301".repeat(40),
  "; drop table contact_messages",
  "<b>0501234567",
])("%.40s is refused as a number, and the form keeps its text", async (phone, { site }) => {
  const answer = await new Visitor(site).post("/", { ...message, phone });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain("رقم واتساب غير صحيح");
  for (const typed of [message.name, message.email, message.message, phone.slice(0, 20)]) {
    expect(answer.text).toContain(typed.replaceAll("<", "&lt;").replaceAll(">", "&gt;"));
  }
  expect(await readMessages(site.dataDir)).toEqual([]);
});

test("a message sent again with a number is not a repeat", async ({ site }) => {
  const visitor = new Visitor(site);
  for (const phone of ["", "", "0501234567", "٠٥٠١٢٣٤٥٦٧", "", "0507654321"]) {
    expect((await visitor.post("/", { ...message, phone })).status).toBe(302);
  }
  const phones = (await readMessages(site.dataDir)).map((row) => row.phone);
  expect(phones).toEqual([null, "966501234567", "966507654321"]);
});

test("a form without the field is accepted, and a refused form keeps the number", async ({
  site,
}) => {
  const later = { ...message, message: "بلا حقل" };
  expect((await new Visitor(site).post("/", later)).status).toBe(302);
  const { status, text } = await ask(site, "POST", "/", {
    headers: {
      Origin: "https://evil.example",
      "Content-Type": "application/x-www-form-urlencoded",
      "X-Forwarded-For": newAddress(),
    },
    body: new URLSearchParams({ ...message, phone: "0501234567" }).toString(),
  });
  expect(status).toBe(403);
  expect(text).toContain("رقم واتساب");
  expect(text).toContain('value="0501234567"');
});

test("only the server has the code that parses numbers", async () => {
  const data = /AC"?:\["247"/;
  const own = await readFile(
    join(root, "node_modules/libphonenumber-js/metadata.min.json"),
    "utf8",
  );
  expect(own).toMatch(data);
  const names: string[] = [];
  for await (const name of glob("build/client/**/*.js", { cwd: root })) {
    names.push(name);
    expect([name, data.test(await readFile(join(root, name), "utf8"))]).toEqual([name, false]);
  }
  expect(names.length).toBeGreaterThan(5);
});
