import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { text as allText } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { injections } from "#tests/support/injections.ts";
import { requestBytes } from "#tests/support/raw-request.ts";
import { without } from "#tests/support/superuser.ts";
import { useSite } from "#tests/support/use-site.ts";
import { ask, signedUp } from "#tests/support/visitor.ts";

const site = useSite();

const type = "application/x-www-form-urlencoded";
const typed = {
  name: "نورة <b>",
  email: "noura@example.com",
  message: "أريد صفحة\nفي سطرين",
  password: "a password typed",
  code: "482913",
  current: "another secret",
};

interface Post {
  path?: string;
  form?: Record<string, string> | string;
  headers?: Record<string, string>;
  method?: string;
}

function post({ path = "/", form = typed, headers = {}, method = "POST" }: Post) {
  return ask(site, method, path, {
    headers: { "Content-Type": type, "X-Forwarded-For": newAddress(), ...headers },
    body: typeof form === "string" ? form : new URLSearchParams(form).toString(),
  });
}

const own: Record<string, string> = { "Sec-Fetch-Site": "same-origin" };
/** The site at another name, where SITE_URL does not expect it. */
const elsewhere = { Host: "www.site.example", Origin: "http://www.site.example" };

test("many cookies of other programs on the domain keep nobody out", async () => {
  const headers = { Cookie: `other=${"x".repeat(30_000)}` };
  expect((await ask(site, "GET", "/", { headers })).status).toBe(200);
  expect((await ask(site, "GET", "/auth", { headers })).status).toBe(200);
});

const cut = "يظهر هنا أول ما كتبته فقط";
const reasons = {
  foreign: "لأنه أُرسل من صفحة لها عنوان آخر",
  large: "أكبر مما يقبله الموقع",
  type: "أُرسل النموذج بصيغة لا يقرؤها الموقع",
  method: "لا تقبل هذه الصفحة هذا النوع من الطلبات",
};

test.each<[string, number, string, Post]>([
  ["another origin", 403, reasons.foreign, { headers: elsewhere }],
  ["far too long", 413, reasons.large, { form: { message: "x".repeat(600_000) }, headers: own }],
  ["another type", 415, reasons.type, { headers: { ...own, "Content-Type": "text/plain" } }],
  ["another method", 405, reasons.method, { method: "PUT", headers: own }],
  ["a question for the methods", 405, reasons.method, { method: "OPTIONS", headers: own }],
])(
  "%s is refused by an Arabic page of the site with the status %i",
  async (_name, status, reason, request) => {
    const answer = await post(request);
    expect(answer.status).toBe(status);
    expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(answer.headers["cache-control"]).toBe("private, no-cache, no-transform");
    expect(answer.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(answer.headers["set-cookie"]).toBeUndefined();
    expect(answer.text).toContain('<html lang="ar" dir="rtl">');
    expect(answer.text).toContain(reason);
    expect(answer.text).not.toContain("Forbidden");
    expect(answer.text).toMatch(/<a href="(http:\/\/localhost:\d+)?\/"[^>]*>العودة إلى الموقع/);
  },
);

test("a too large form is read to its end over a slow connection, and answered", async () => {
  const body = Buffer.from(`message=${"x".repeat(1_000_000)}`);
  const bytes = requestBytes({
    method: "POST",
    target: "/",
    headers: [["Accept", "text/html"], ["Content-Type", type], ...Object.entries(own)],
    body,
  });
  const { port } = new URL(site.url);
  const socket = connect(Number(port), "127.0.0.1");
  const answer = allText(socket);
  for (let at = 0; at < bytes.length; at += 100_000) {
    await new Promise<void>((resolve, reject) => {
      socket.write(bytes.subarray(at, at + 100_000), (error) =>
        error ? reject(error) : resolve(),
      );
    });
    await sleep(150);
  }
  expect(await answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(await answer).toContain(reasons.large);
});

test("requests by scripts get only the status, because their page is still open", async () => {
  for (const [status, request] of [
    [403, { path: "/_.data?index", headers: { Origin: "http://localhost:3000" } }],
    [413, { path: "/auth.data", form: { password: "x".repeat(530_000) }, headers: own }],
  ] as const) {
    const answer = await post(request);
    expect([answer.status, answer.text]).toEqual([status, ""]);
  }
});

test("a form from another name of the site gets its text back, without secrets and markup", async () => {
  const { text } = await post({ headers: elsewhere });
  expect(text).toContain("نورة &lt;b&gt;");
  expect(text).toContain(typed.email);
  expect(text).toContain(typed.message);
  expect(text).toContain("انسخه قبل أن تغادر هذه الصفحة");
  for (const secret of [typed.password, typed.code, typed.current]) {
    expect(text).not.toContain(secret);
  }
  expect(injections(text)).toEqual([]);
});

test("a refused text is shown in the words of the receipt, and one that no reader could read as it was typed", async () => {
  for (const [phone, shown] of [
    ["٠٥٠١٢٣٤٥٦٧", "+966 50 123 4567"],
    ["٠٥٠ ١٢", "٠٥٠ ١٢"],
  ] as const) {
    const { text } = await post({ form: { ...typed, phone }, headers: elsewhere });
    expect(text).toContain(`value="${shown}"`);
  }
});

test("a refused text comes back whole, and one that is too large with its beginning", async () => {
  const message = `${"نص طويل. ".repeat(2000)}الآخر`;
  const refused: Record<string, string>[] = [elsewhere, { ...own, "Content-Type": "text/plain" }];
  for (const headers of refused) {
    const { text } = await post({ form: { ...typed, message }, headers });
    expect(text).toContain(message);
    expect(text).not.toContain(cut);
  }
  const large = { ...typed, message: `${"x".repeat(100_000)}${"y".repeat(100_000)}` };
  const { status, text } = await post({ form: large, headers: own });
  expect([status, text.includes(typed.email), text.includes(cut)]).toEqual([413, true, true]);
  expect(/x{100,}y+/.exec(text)?.[0].length).toBeGreaterThan(120_000);
});

test.each<Record<string, string>>([
  { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
  { Origin: "https://x.site.example", "Sec-Fetch-Site": "same-site" },
  // Safari before 16.4 sends Origin alone.
  { Origin: "https://evil.example" },
  { Origin: "null" },
  {},
])("fields that may be another site's are not shown again: %o", async (headers) => {
  for (const [expected, form] of [
    [403, typed],
    [413, { ...typed, message: "x".repeat(200_000) }],
  ] as const) {
    const { status, text } = await post({ path: "/auth", form, headers });
    expect(status).toBe(expected);
    expect(text).not.toContain(typed.email);
    expect(text).not.toContain("انسخه");
  }
});

test("the way back stays on the site", async () => {
  for (const path of ["//evil.example/x", "/\\evil.example", "/%5C%5Cevil.example"]) {
    const { text } = await post({ path, headers: { Origin: "http://localhost:3000" } });
    const [, back = ""] = /<a href="([^"]*)"[^>]*>العودة إلى الموقع/.exec(text) ?? [];
    expect(new URL(back, site.url).origin).toBe(site.url);
  }
  const { text } = await post({ path: "/auth/forgot", headers: { Origin: "http://localhost:1" } });
  expect(text).toContain(`<a href="${site.url}/auth/forgot"`);
});

test("a form keeps its text when the site fails, and the fault is logged", async () => {
  const visitor = await signedUp(site);
  const path = `/account/sessions/${randomUUID()}/end`;
  const { password } = typed;
  const form = { current: visitor.credentials.password, message: typed.message, password };
  const [answer, byScript] = await without(site, "end_session", () =>
    Promise.all([visitor.post(path, form), visitor.post(`${path}.data`, form)]),
  );
  expect(answer.status).toBe(503);
  expect(answer.text).toContain("عطل مؤقت في الموقع، وسُجّل لإصلاحه");
  expect(answer.text).toContain("Unexpected Application Error!");
  expect(answer.text).toContain(typed.message);
  expect(answer.text).not.toContain(password);
  expect(answer.text).toContain(`<a href="${path}"`);
  await expect.poll(() => site.output()).toContain("A session was not ended");
  expect([byScript.status, byScript.text.includes("A session was not ended")]).toEqual([503, true]);
  expect(answer.text + byScript.text).not.toContain("end_session");
  // The session has not changed.
  expect((await visitor.get("/account")).status).toBe(200);
});
