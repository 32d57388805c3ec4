import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readMessages } from "#tests/support/messages.ts";
import { root } from "#tests/support/spawn-server.ts";
import { useSite } from "#tests/support/use-site.ts";
import { signedUp, Visitor } from "#tests/support/visitor.ts";

const site = useSite();

const message = { name: "نورة", email: "noura@example.com", message: "أريد صفحة", t_extra: "" };

test("a message sent again with a number is not a repeat", async () => {
  const visitor = new Visitor(site);
  for (const phone of ["", "", "+966501234567", "+٩٦٦ ٥٠ ١٢٣ ٤٥٦٧", "", "+966507654321"]) {
    expect((await visitor.post("/", { ...message, phone })).status).toBe(302);
  }
  const phones = (await readMessages(site.dataDir)).map((row) => row.phone);
  expect(phones).toEqual([null, "966501234567", "966507654321"]);
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

test("an account can have an international domain, in either notation", async () => {
  const password = "a password";
  await signedUp(site, { email: "x@مثال.السعودية", password });
  for (const email of ["x@مثال.السعودية", "X@xn--mgbh0fb.xn--mgberp4a5d4ar"]) {
    const visitor = new Visitor(site);
    expect((await visitor.post("/auth", { email, password })).status).toBe(302);
    expect((await visitor.get("/admin")).status).toBe(200);
  }
});
