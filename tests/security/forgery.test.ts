import { beforeAll, describe, expect, test } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { actions } from "#tests/support/routes.ts";
import { useSite } from "#tests/support/use-site.ts";
import { type Visitor, ask, signedUp } from "#tests/support/visitor.ts";

const outside = "https://site.example";

describe.each<{ name: string; env: Record<string, string>; own: string | undefined }>([
  { name: "on localhost", env: {}, own: undefined },
  { name: "behind a proxy that ends https", env: { SITE_URL: outside }, own: outside },
])("cross-site requests, $name", ({ env, own }) => {
  const site = useSite(env);
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await signedUp(site, undefined, own);
  });

  function post(
    { path, form }: (typeof actions)[number],
    from: Record<string, string>,
    session = visitor.cookieHeader(),
  ) {
    return ask(site, "POST", path, {
      headers: {
        "Content-Type": "application/x-www-form-urlencoded",
        "X-Forwarded-For": newAddress(),
        ...(session && { Cookie: session }),
        ...from,
      },
      body: new URLSearchParams(form).toString(),
    });
  }

  const foreign = (origin: string): Record<string, string>[] => [
    { Origin: "https://evil.example" },
    { Origin: "null" },
    { Origin: "" },
    { Origin: `${origin}.evil.example` },
    { Origin: `https://x-${new URL(origin).host}` },
    { Origin: new URL(origin).host },
    { Origin: `${origin}:1` },
    { Referer: "https://evil.example/page" },
    { Referer: `${origin}/page` },
    {},
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site", Origin: "null" },
    { "Sec-Fetch-Site": "none", Origin: "https://evil.example" },
    { "X-Forwarded-Host": "evil.example", Origin: "https://evil.example" },
    { "X-Forwarded-Host": new URL(origin).host, Origin: "https://evil.example" },
    ...(own ? [{ Origin: own.replace("https:", "http:") }] : []),
  ];

  test.each(actions)("cannot post to $path", async (action) => {
    const all = foreign(own ?? site.url);
    // It is refused before its path is looked at.
    for (const from of action === actions[0] ? all : all.slice(0, 3)) {
      const answer = await post(action, from);
      expect([from, answer.status]).toEqual([from, 403]);
      expect(answer.text).toContain("لأنه أُرسل من صفحة لها عنوان آخر");
      expect(answer.headers["set-cookie"]).toBeUndefined();
    }
  });

  test.each(["PUT", "PATCH", "DELETE"])("cannot send %s", async (method) => {
    for (const { path } of actions) {
      const headers = { Cookie: visitor.cookieHeader(), Origin: "https://evil.example" };
      expect((await ask(site, method, path, { headers, body: "" })).status).toBe(403);
    }
  });

  test("cannot sign anybody out or change anything with a link", async () => {
    for (const path of ["/sign-out", "/admin/claim", "/sign-out?_method=POST"]) {
      await visitor.get(path, { "Sec-Fetch-Site": "cross-site" });
      expect((await visitor.get("/admin")).text).toContain("اجعل الصندوق لي وحدي");
    }
  });

  test.each(actions)("do not include the site's own form to $path", async (action) => {
    const origin = own ?? site.url;
    // Older browsers send Origin alone. With Sec-Fetch-Site the host name may be another of the site's.
    const froms: Record<string, string>[] = [
      { Origin: origin },
      { "Sec-Fetch-Site": "same-origin", Origin: "https://www.site.example" },
    ];
    for (const from of froms) {
      const answer = await post(action, from, "");
      expect(answer.text).not.toContain("لأنه أُرسل من صفحة لها عنوان آخر");
      expect(answer.status).toBeLessThan(500);
    }
  });
});
