import { afterAll, describe, expect, test } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { openApi } from "#tests/support/api.ts";
import { raw, requestBytes } from "#tests/support/raw-request.ts";
import { startSite } from "#tests/support/site.ts";
import { ask, newCredentials, Visitor } from "#tests/support/visitor.ts";

const site = await startSite();
afterAll(() => site.stop());
const api = await openApi(site);

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
const message = { name: "نورة", email: "noura@example.com", message: "أريد صفحة", t_extra: "" };

const upgrade = (target: string, headers: [string, string][] = []) =>
  raw(
    site,
    requestBytes({
      method: "GET",
      target,
      headers: [
        ["Connection", "Upgrade"],
        ["Upgrade", "websocket"],
        ["Sec-WebSocket-Version", "13"],
        ["Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="],
        ["Origin", "http://localhost"],
        ...headers,
      ],
    }),
    500,
  );

/** Sends a body in chunks, like a proxy that does not buffer. */
const chunks = (text: string) => {
  const bytes = Buffer.from(text);
  return Array.from({ length: 10 }, (_, index) => {
    const size = Math.ceil(bytes.length / 10);
    return bytes.subarray(index * size, (index + 1) * size);
  });
};
const encoded = (form: Record<string, string>) => new URLSearchParams(form).toString();

describe("the host of a request", () => {
  const from: [string, string] = ["X-Forwarded-For", newAddress()];
  const get = async (target: string, headers: [string, string][] = []) =>
    statusOf(await raw(site, requestBytes({ method: "GET", target, headers: [from, ...headers] })));

  test.each(["/", "/admin", "/auth?next=x", "/healthz"])(
    "%s refuses a request with two hosts",
    async (target) => {
      expect(await get(target)).toBeLessThan(500);
      for (const host of ["evil.example", "localhost"]) {
        expect(await get(target, [["hOST", host]])).toBe(400);
      }
    },
  );

  test("a socket is refused if the request has two hosts", async () => {
    expect(statusOf(await upgrade("/admin/live"))).toBe(401);
    expect(statusOf(await upgrade("/admin/live", [["Host", "evil.example"]]))).toBe(400);
  });

  test.each([
    ["http://evil.example/", 400],
    ["http://evil.example/admin", 400],
    ["http://localhost.evil.example/?next=x", 400],
    ["http://localhost:1/?next=x", 400],
    ["http://user@localhost/?next=x", 400],
    ["ftp://localhost/?next=x", 400],
    ["http://localhost/?next=x", 400],
  ])("the absolute request target %s returns %i", async (target, status) => {
    expect(await get(target)).toBe(status);
  });
});

describe("forms", () => {
  const type = "application/x-www-form-urlencoded";

  async function send(path: string, body: string | Buffer[]) {
    const { status, text } = await ask(site, "POST", path, {
      headers: { Origin: site.url, "Content-Type": type, "X-Forwarded-For": newAddress() },
      body,
    });
    return { status, text };
  }
  test("are accepted in chunks", async () => {
    const answer = await send("/", chunks(encoded(message)));
    expect(answer.status).toBe(302);
    const long = await send("/", chunks(encoded({ ...message, message: "x".repeat(6000) })));
    expect(long.status).toBe(400);
    expect(long.text).toContain("الرسالة طويلة: ٥٬٠٠٠ حرف على الأكثر");
  });

  test("have at most 128 kB", async () => {
    const text = "x".repeat(120_000);
    const long = await send("/", encoded({ ...message, message: text }));
    expect(long.status).toBe(400);
    expect(long.text).toContain(text);
    const paths = ["/", "/auth", "/auth/forgot", "/auth/confirm", "/admin/claim", "/no/such/page"];
    for (const path of paths) {
      const form = { email: "a@example.com", password: "x".repeat(140_000) };
      expect([path, (await send(path, encoded(form))).status]).toEqual([path, 413]);
      expect([path, (await send(path, chunks(encoded(form)))).status]).toEqual([path, 413]);
    }
  });
});

describe("requests", () => {
  test("have at most 200 characters of their path logged", async () => {
    await new Visitor(site).get(`/mark-of-this-test${"/x".repeat(3000)}`);
    await new Visitor(site).post(`/mark-of-this-test${"/y".repeat(3000)}`);
    const lines = () => site.linesWith("mark-of-this-test");
    await expect.poll(() => lines().length).toBeGreaterThan(1);
    for (const line of lines()) {
      expect(line.length).toBeLessThanOrEqual(
        200 + `${new Date().toISOString()} info  404: no page path=`.length,
      );
    }
  });

  test("have two words for their User-Agent stored, and nothing of it", async () => {
    const visitor = new Visitor(site);
    const name = `Firefox/1 ${"x".repeat(12_000)} Android`;
    await visitor.post("/auth?mode=sign-up", newCredentials(), { "User-Agent": name });
    const caller = api.as(visitor.session().access_token);
    const { json } = await api.call(caller, "my_sessions");
    expect(json.map((row: { user_agent: string }) => row.user_agent)).toEqual([
      "Tawasul app-fx on-an",
    ]);
  });
});
