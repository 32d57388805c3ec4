import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as fc from "fast-check";
import pLimit from "p-limit";
import { beforeAll, describe, expect, test } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { raw, requestBytes } from "#tests/support/raw-request.ts";
import { actions, pages } from "#tests/support/routes.ts";
import { useApi, useSite } from "#tests/support/use-site.ts";
import { type Answer, Visitor, ask, signedUp } from "#tests/support/visitor.ts";
import { inputs, stack, toBytes } from "./hostile.ts";

const seed = Number(process.env["HOSTILE_SEED"] ?? 20_261_121);
const secret = "row-that-nobody-but-the-owner-reads";

const site = useSite();
const api = useApi(site);
let stranger: Visitor;
beforeAll(async () => {
  const owner = await signedUp(site);
  await api.store({ name: secret, email: `${secret}@example.com`, message: secret });
  await api.claim(owner.session().access_token);
  stranger = await signedUp(site);
});

const run = promisify(execFile);

/** The memory of the site's process in bytes. */
async function siteMemory(): Promise<number> {
  const { stdout } = await run("ps", ["-o", "rss=", "-p", String(site.pid())]);
  return Number(stdout) * 1024;
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);

/** The fault of a response to such an input, undefined if there is none. */
function fault(answer: string): string | undefined {
  const status = statusOf(answer);
  if (status === 0 || status >= 500) {
    return `status ${status}`;
  }
  if (answer.includes(secret)) {
    return "a foreign row";
  }
  if (stack.test(answer)) {
    return "a stack";
  }
  return /^x-split:/im.test(answer.split("\r\n\r\n")[0] ?? "")
    ? "a header of the sender's"
    : undefined;
}

test("200 hostile requests cause no failure and return no stack and no foreign row", async () => {
  const before = await siteMemory();
  const list = fc.sample(inputs, { numRuns: 200, seed });
  const cookie = stranger
    .sessionCookies()
    .map((pair) => pair.join("="))
    .join("; ");
  const faults: string[] = [];
  const eightAtOnce = pLimit(8);
  await eightAtOnce.map(list, async (input) => {
    const answer = await raw(site, toBytes(input, site.url, cookie)).catch(
      (error: Error) => `no answer: ${error.message}`,
    );
    const found = fault(answer);
    if (found) {
      faults.push(
        `${found}; HOSTILE_SEED=${seed}: ${JSON.stringify(input).slice(0, 600)} -> ${answer.slice(-200)}`,
      );
    }
  });
  expect(faults.slice(0, 10)).toEqual([]);
  expect((await ask(site, "GET", "/healthz")).status).toBe(200);
  expect(await siteMemory()).toBeLessThan(before + 300 * 1024 * 1024);
}, 60_000);

test("an endless body is refused before it is stored in memory", async () => {
  const before = await siteMemory();
  const big = Buffer.alloc(64 * 1024 * 1024, "a");
  for (const [target, chunked] of [
    ["/", true],
    ["/auth", false],
  ] as const) {
    const headers: [string, string][] = [
      ["Origin", site.url],
      ["Content-Type", "application/x-www-form-urlencoded"],
    ];
    const request = requestBytes({ method: "POST", target, headers, body: big, chunked });
    const answer = await raw(site, request).catch(() => "cut");
    expect([target, answer.slice(0, 12)]).toEqual([
      target,
      expect.stringMatching(/^(cut|HTTP\/1\.1 41[13]|)$/),
    ]);
  }
  expect((await ask(site, "GET", "/healthz")).status).toBe(200);
  expect(await siteMemory()).toBeLessThan(before + 150 * 1024 * 1024);
});

/** Names that lead from an object to the shared prototypes, alone and as paths. */
const names = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "__defineGetter__",
  "constructor.prototype",
  "__proto__.transfer-encoding",
  "constructor[prototype][x]",
  "__proto__->>x",
];
type Send = (method: string, path: string, options?: Parameters<typeof ask>[3]) => Promise<unknown>;

const send: Send = (method, path, { headers, body } = {}) =>
  ask(site, method, path, {
    headers: { "X-Forwarded-For": newAddress(), ...headers },
    ...(body !== undefined && { body }),
  });

const entrances: Record<string, () => Promise<void>> = {
  async "queries of pages"() {
    for (const { path } of pages) {
      const query = names.map((name) => `${name}=${name}`).join("&");
      await send("GET", `${path}${path.includes("?") ? "&" : "?"}${query}`);
    }
    for (const name of names) {
      await send("GET", `/${name}`);
      await send("GET", `/account/factors/${name}/remove`);
      await send("GET", `/_.data?_routes=${name}&${name}=x`);
    }
  },
  async forms() {
    const hostile = Object.fromEntries(names.map((name) => [name, name]));
    for (const { path, form } of actions) {
      await new Visitor(site).post(path, { ...hostile, ...form });
    }
  },
  async cookies() {
    const polluted = `{"__proto__":{"x":1,"transfer-encoding":"eq.1","toString":"x"}}`;
    const session = Buffer.from(polluted).toString("base64url");
    for (const name of names) {
      for (const path of ["/?sent=x", "/admin"]) {
        const Cookie = `${name}=x; session=base64-${session}; session.${name}=x; visit.${name}=x`;
        await send("GET", path, { headers: { Cookie } });
      }
    }
  },
  async headers() {
    for (const name of ["__proto__", "constructor", "prototype", "toString"]) {
      const headers = { [name]: "x", Accept: name, "X-Forwarded-Host": name };
      await send("GET", "/?sent=x", { headers });
    }
  },
};

/** The responses to other visitors, without the visit cookie, which holds the time, and nonces. */
async function probe() {
  const answers = [
    await send("GET", "/"),
    await send("GET", "/?sent=x"),
    await send("GET", "/auth?next=x"),
    await send("GET", "/no/such/page"),
    await send("GET", "/admin"),
    await send("GET", "/_.data"),
    await send("GET", "/healthz"),
    await send("GET", "/robots.txt"),
    await new Visitor(site).post("/", { name: "", email: "x", message: "م", t_extra: "" }),
    await new Visitor(site).post("/auth", { email: "nobody@example.com", password: "wrong one" }),
  ];
  return answers.map((answer) => {
    const { status, headers, text } = answer as Awaited<ReturnType<typeof ask>>;
    const { date: _date, "set-cookie": _cookie, ...rest } = headers;
    return JSON.parse(
      JSON.stringify({ status, headers: rest, text }).replaceAll(/nonce(-|=\\")[\w-]+/g, "nonce"),
    ) as Answer;
  });
}

test("names in queries, forms, cookies and headers change no later response", async () => {
  const before = await probe();
  expect(before.map(({ status }) => status)).toEqual([
    200, 200, 200, 404, 302, 200, 200, 200, 400, 400,
  ]);
  for (const enter of Object.values(entrances)) {
    await enter();
  }
  expect(await probe()).toEqual(before);
});

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
    ["http://localhost/?next=x", 400],
  ])("the absolute request target %s returns %i", async (target, status) => {
    expect(await get(target)).toBe(status);
  });
});

describe("forms", () => {
  const type = "application/x-www-form-urlencoded";

  async function submit(path: string, body: string | Buffer[]) {
    const { status, text } = await ask(site, "POST", path, {
      headers: { Origin: site.url, "Content-Type": type, "X-Forwarded-For": newAddress() },
      body,
    });
    return { status, text };
  }
  test("are accepted in chunks", async () => {
    const answer = await submit("/", chunks(encoded(message)));
    expect(answer.status).toBe(302);
    const long = await submit("/", chunks(encoded({ ...message, message: "x".repeat(6000) })));
    expect(long.status).toBe(400);
    expect(long.text).toContain("الرسالة طويلة: ٥٬٠٠٠ حرف على الأكثر");
  });

  test("have at most 128 kB", async () => {
    const text = "x".repeat(120_000);
    const long = await submit("/", encoded({ ...message, message: text }));
    expect(long.status).toBe(400);
    expect(long.text).toContain(text);
    const paths = ["/", "/auth", "/auth/forgot", "/auth/confirm", "/admin/claim", "/no/such/page"];
    for (const path of paths) {
      const form = { email: "a@example.com", password: "x".repeat(140_000) };
      expect([path, (await submit(path, encoded(form))).status]).toEqual([path, 413]);
      expect([path, (await submit(path, chunks(encoded(form)))).status]).toEqual([path, 413]);
    }
  });
});

test("leave no stack in the log", () => {
  expect(site.output().match(/.*stack=.*/g) ?? []).toEqual([]);
  expect(site.output()).not.toContain(secret);
});
