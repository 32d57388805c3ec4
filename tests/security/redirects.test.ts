import { describe, expect, test } from "vitest";
import { actions, pages } from "#tests/support/routes.ts";
import { useSite } from "#tests/support/use-site.ts";
import { type Answer, Visitor, ask, signedUp } from "#tests/support/visitor.ts";

// One of each kind. app/lib/safe-path.test.ts has more spellings.
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

describe("redirects", () => {
  const site = useSite();

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

  test("of every page stay on the site with any address in next and redirect_to", async () => {
    const account = await signedUp(site);
    // Each page gets three of them, the next page the next three.
    for (const [place, { path }] of pages.entries()) {
      for (const step of [0, 1, 2]) {
        const target = targets[(3 * place + step) % targets.length] ?? "";
        const url = withQuery(path, { next: target, redirect_to: target });
        for (const visitor of [new Visitor(site), account]) {
          expect(faults(url, await visitor.get(url))).toEqual([]);
        }
      }
    }
  });

  test("after a sign-in and a sign-out stay on the site", async () => {
    const { credentials } = await signedUp(site);
    for (const target of targets) {
      const query = new URLSearchParams({ next: target, redirect_to: target });
      const visitor = new Visitor(site);
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

  test.each(["/admin", "/sign-out", "/admin/claim", "/account", "/auth/code"])(
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

  test.each([
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
