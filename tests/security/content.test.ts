import { describe, expect, test } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { injections, mark, scripts } from "#tests/support/injections.ts";
import { requestBytes, raw } from "#tests/support/raw-request.ts";
import { actions, pages } from "#tests/support/routes.ts";
import { useApi, useSite } from "#tests/support/use-site.ts";
import { type Answer, ask, signedUp, Visitor } from "#tests/support/visitor.ts";

const site = useSite();
const api = useApi(site);

/** Gives each field of a form or an address another script. */
const scriptAt = (place: number) => scripts[place % scripts.length] ?? "";

describe("a script in a visitor's text", () => {
  test.for([
    `<script>${mark}()</script>`,
    `<p><img src=x onerror=${mark}()></p>`,
    `<input value="" autofocus onfocus=${mark}()>`,
    `<a href="javascript:alert(1)">`,
    `<script>streamController.enqueue("${mark}</script>")</script>`,
  ])("would be detected in %s", (html) => {
    expect(injections(html)).not.toEqual([]);
  });

  test("stays text on the board, in the spam and in the data of pages", async () => {
    const reader = await signedUp(site);
    for (const script of scripts) {
      const row = { name: script.slice(0, 100), email: "a@example.com", message: script };
      const answer = await api.leave(row);
      expect([script, answer.status]).toEqual([
        script,
        expect.toSatisfy((s) => s === 200 || s === 400),
      ]);
    }
    for (const email of [
      `a'onmouseover='${mark}()@example.com`,
      `javascript:${mark}@example.com`,
      `a?body=${mark}&cc=b@example.com`,
      `a%0d%0abcc:${mark}@example.com`,
    ]) {
      await api.leave({ name: mark, email, message: email, phone: "966501234567" });
    }
    const spam = {
      name: mark,
      email: "a@example.com",
      message: `${scripts[0]} spam`,
      spam_signs: ["trap"],
    };
    await api.leave(spam);
    for (const path of ["/admin", "/admin?box=spam"]) {
      const { text } = await reader.get(path);
      expect(text).toContain(mark);
      expect([path, injections(text)]).toEqual([path, []]);
      for (const [, link = ""] of text.matchAll(/href="mailto:([^"]*)"/g)) {
        const [address, ...headers] = link.replaceAll("&#x27;", "'").split("?subject=");
        expect(address).not.toMatch(/[?&,]|%0[ad]/i);
        expect(headers.join("?")).toMatch(/^$|^[^?&]*&amp;body=[^?&]*$/);
      }
      for (const [, link = ""] of text.matchAll(/href="https:\/\/wa\.me\/([^"]*)"/g)) {
        expect(link.replaceAll("&#x27;", "'")).toMatch(/^966501234567\?text=[^?&]*$/);
      }
    }
  });
});

const forged = "\r\nX-Split: yes\r\n\r\n404: no page FORGED\n2026 FORGED line";

test("scripts and line breaks in a form stay text, split no response and forge no line of the log", async () => {
  const begin = site.output().length;
  for (const [place, { path, form }] of actions.entries()) {
    const names = Object.keys(form);
    const filled = names.map((name, index): [string, string] => [
      name,
      scriptAt(place + index) + forged,
    ]);
    const { text, headers } = await new Visitor(site).post(withQuery(path, { x: forged }), filled);
    expect([path, filled, injections(text)]).toEqual([path, filled, []]);
    expect([path, headers["x-split"]]).toEqual([path, undefined]);
  }
  for (const path of [
    `/${encodeURIComponent(forged)}`,
    "/%0D%0AFORGED%20line",
    "/%E2%80%A8FORGED",
    "/%1b%5b31mFORGED",
    "/FORGED\u0085line",
  ]) {
    const bytes = requestBytes({
      method: "GET",
      target: path,
      headers: [
        ["User-Agent", "x\u001b[31m FORGED"],
        ["Cookie", "session=%0d%0aFORGED; toast=%0aFORGED; visit=%0aFORGED"],
        ["X-Forwarded-For", newAddress()],
      ],
    });
    const answer = await raw(site, bytes);
    expect(answer.split("\r\n\r\n")[0]).not.toMatch(/^x-split/im);
  }
  const printed = site.output().slice(begin);
  expect(printed).not.toMatch(/^\s*(404: no page )?(2026 )?FORGED/m);
  // It has no escape sequences for terminals either.
  expect(printed).not.toMatch(/[\p{Cc}--[\n\t]]|\u2028/v);
});

// There is one of each kind; app/lib/safe-path.test.ts has more spellings.
const targets = [
  "https://evil.example/",
  "//evil.example/",
  "/\\evil.example/",
  "%2f%2fevil.example",
  "https:evil.example",
  "javascript:alert(1)",
  "/\t/evil.example/",
  "/\r\nX-Split: yes",
  "/.//evil.example/",
  "http://localhost@evil.example/",
  "/\u0000/evil.example",
];

const withQuery = (path: string, query: Record<string, string>) =>
  `${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams(query)}`;

/** The fault of a response: it leads off the site, was split in two, or is a failure. */
function faults(from: string, { status, headers }: Answer): string[] {
  const { location } = headers;
  const isOwn =
    location === undefined ||
    (new URL(location, site.url).origin === site.url && /^\/(?![/\\])|^http:/.test(location));
  return [
    ...(isOwn ? [] : [`${from} leads to ${location}`]),
    ...(headers["x-split"] === undefined ? [] : [`${from} adds a header`]),
    ...(status < 500 ? [] : [`${from} fails with ${status}`]),
  ];
}

test("a script in the address of any page stays text, and no address in it leads off the site", async () => {
  const account = await signedUp(site);
  const askers = {
    any: [new Visitor(site)],
    none: [new Visitor(site), account],
    needed: [account],
  };
  const names = ["mode", "before", "error_description", "type", "next", "box"];
  const made = scripts.flatMap((script) => {
    const value = encodeURIComponent(script);
    return [
      { path: `/${value}`, session: "any" as const },
      { path: `/account/factors/${value}/remove`, session: "needed" as const },
    ];
  });
  for (const [place, { path, session }] of [...pages, ...made].entries()) {
    const target = targets[place % targets.length] ?? "";
    const query = Object.fromEntries(names.map((name, index) => [name, scriptAt(place + index)]));
    for (const asker of askers[session]) {
      const next: Record<string, string> = asker === account ? { next: target } : {};
      const url = withQuery(path, { ...query, ...next, redirect_to: target });
      const answer = await asker.get(url);
      expect([url, injections(answer.text)]).toEqual([url, []]);
      expect(faults(url, answer)).toEqual([]);
    }
  }
});

describe("redirects", () => {
  test("after a sign-in and a sign-out stay on the site", async () => {
    const { credentials } = await signedUp(site);
    for (const target of targets.slice(0, 4)) {
      const query = new URLSearchParams({ next: target, redirect_to: target });
      const visitor = new Visitor(site);
      // Without any cookie it would first lead to a check of cookies.
      visitor.cookies.set("other", "x");
      const signIn = await visitor.post(`/auth?${query}`, { ...credentials, next: target });
      expect(signIn.status).toBe(302);
      expect(faults(target, signIn)).toEqual([]);
      const signOut = await visitor.post(`/sign-out?${query}`, { next: target });
      expect(signOut.status).toBe(302);
      expect(faults(target, signOut)).toEqual([]);
    }
  });

  test("of every action stay on the site", async () => {
    for (const [place, { path, form }] of actions.entries()) {
      const target = targets[place % targets.length] ?? "";
      const url = withQuery(path, { next: target });
      const answer = await new Visitor(site).post(url, { ...form, next: target });
      expect(faults(url, answer)).toEqual([]);
    }
  });

  test.for(["/admin", "/sign-out", "/admin/claim", "/account", "/auth/code"])(
    "of %s do not follow the client's Host",
    async (path) => {
      for (const headers of [
        { Host: "evil.example" },
        { "X-Forwarded-Host": "evil.example" },
        { Forwarded: "host=evil.example;proto=https" },
        { "X-Original-URL": "//evil.example/" },
        { "X-Forwarded-Prefix": "//evil.example" },
      ] as Record<string, string>[]) {
        const answer = await ask(site, "GET", path, { headers });
        expect(answer.status).toBe(302);
        expect(answer.headers.location).toMatch(/^\/[a-z]*$|^\/auth\?next=/);
      }
    },
  );

  test.for([
    "//evil.example/",
    "//evil.example/%2e%2e",
    "///evil.example/..",
    "//evil.example//",
    "/\\evil.example/",
    "//admin/",
    "/admin//",
    "//evil.example/admin/",
    "//evil.example/sign-out",
    "/%0d%0aX-Split:%20yes",
    "/admin?a=%0d%0aX-Split:%20yes",
    "/sign-out?a=%0d%0aX-Split:%20yes",
    "http://evil.example/admin",
  ])("of the path %s stay on the site", async (path) => {
    for (const method of ["GET", "HEAD"]) {
      expect(faults(path, await ask(site, method, path))).toEqual([]);
    }
  });
});
