import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { useSite } from "#tests/support/use-site.ts";
import { ask } from "#tests/support/visitor.ts";

const site = useSite();
const open: Socket[] = [];
afterEach(() => open.splice(0).forEach((socket) => socket.destroy()));

/** Sends the beginning of a form. Its answer so far is `text()`. */
function begin(address: string, length: string) {
  const socket = connect(Number(new URL(site.url).port), "127.0.0.1");
  open.push(socket);
  let answer = "";
  socket.on("data", (part) => {
    answer += part;
  });
  socket.on("error", () => undefined);
  const headers = [
    "POST / HTTP/1.1",
    "Host: localhost",
    `X-Forwarded-For: ${address}`,
    `Origin: ${site.url}`,
    "Content-Type: application/x-www-form-urlencoded",
    length,
  ];
  socket.write(`${headers.join("\r\n")}\r\n\r\n`);
  return () => answer;
}

const send = (address: string) =>
  ask(site, "POST", "/", {
    headers: {
      Origin: site.url,
      "Content-Type": "application/x-www-form-urlencoded",
      "X-Forwarded-For": address,
    },
    body: "name=x&email=x",
  });

test.each([
  ["of a stated length", "Content-Length: 500000", 16],
  ["in chunks", "Transfer-Encoding: chunked", 8],
])("of one address at most 8 MB of unfinished forms %s are held", async (_, length, most) => {
  const address = newAddress();
  const answers = Array.from({ length: most + 10 }, () => begin(address, length));
  const refused = () => answers.filter((text) => text().startsWith("HTTP/1.1 503"));
  await expect.poll(() => refused().length).toBe(10);
  expect(refused()[0]?.()).toContain("الموقع مشغول الآن");
  expect((await send(newAddress())).status).toBe(400);
  await expect.poll(() => site.linesWith("limit=formBytes")).toHaveLength(1);

  open.splice(0).forEach((socket) => socket.destroy());
  await expect.poll(async () => (await send(address)).status).toBe(400);
});

test("a network's addresses share its bytes", async () => {
  const answers = Array.from({ length: 20 }, (_, number) =>
    begin(`2001:db8:5:${number}::1`, "Content-Length: 500000"),
  );
  const refused = () => answers.filter((text) => text().startsWith("HTTP/1.1 503"));
  await expect.poll(() => refused().length).toBe(4);
  // A small one still fits.
  expect((await send("2001:db8:5::1")).status).toBe(400);
});
