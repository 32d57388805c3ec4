import { afterAll, expect, test } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { actions, pages } from "#tests/support/routes.ts";
import { startSite } from "#tests/support/site.ts";
import { ask, Visitor } from "#tests/support/visitor.ts";

const site = await startSite();
afterAll(() => site.stop());

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
    // A form with more than ten fields is refused before it is read.
    for (const { path, form } of actions) {
      const hostile = Object.fromEntries(names.slice(0, 5).map((name) => [name, name]));
      await new Visitor(site).post(path, { ...hostile, ...form });
      await new Visitor(site).post(path, Object.fromEntries(names.map((name) => [name, name])));
    }
  },
  async cookies() {
    const polluted = `{"__proto__":{"x":1,"transfer-encoding":"eq.1","toString":"x"}}`;
    const session = Buffer.from(polluted).toString("base64url");
    for (const name of names) {
      for (const path of ["/?next=x", "/admin"]) {
        const Cookie = `${name}=x; session=base64-${session}; session.${name}=x; visit.${name}=x`;
        await send("GET", path, { headers: { Cookie } });
      }
    }
  },
  async headers() {
    for (const name of ["__proto__", "constructor", "prototype", "toString"]) {
      const headers = { [name]: "x", Accept: name, "X-Forwarded-Host": name };
      await send("GET", "/?next=x", { headers });
    }
  },
};

/** The responses to other visitors, without the visit cookie, which holds the time. */
async function probe() {
  const answers = [
    await send("GET", "/"),
    await send("GET", "/?next=x"),
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
    return { status, headers: rest, text };
  });
}

test.each(Object.keys(entrances))("names in %s change no later response", async (entrance) => {
  const before = await probe();
  expect(before.map(({ status }) => status)).toEqual([
    200, 200, 200, 404, 302, 200, 200, 200, 400, 400,
  ]);
  await entrances[entrance]?.();
  expect(await probe()).toEqual(before);
});
