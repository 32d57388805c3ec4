import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { newAddress } from "./address.ts";
import { openTab } from "./live.ts";
import { pages } from "./routes.ts";
import type { RunningSite } from "./site.ts";
import { setUpFactor } from "./visitor-factor.ts";
import { Visitor } from "./visitor.ts";

/** Returns credentials with an e-mail address of the maximum length, 254 characters. */
export function longestCredentials() {
  const local = randomBytes(32).toString("hex");
  const domain = ["b".repeat(63), "c".repeat(63), "d".repeat(57), "com"].join(".");
  return { email: `${local}@${domain}`, password: "a password of some length" };
}

/**
 * Runs through the life of an account: sign-up, second factor, code step, token
 * refresh, every page, a message, the live inbox.
 * @param origin the origin in the browser, if it differs from `site.url`
 */
export async function wholeVisit(site: Pick<RunningSite, "url" | "dataDir">, origin = site.url) {
  const credentials = longestCredentials();
  const { password } = credentials;
  const owner = new Visitor(site, origin);
  await owner.get("/?opened");
  expect((await owner.post("/auth?mode=sign-up", credentials)).status).toBe(302);
  expect((await owner.get("/admin")).status).toBe(200);
  const { app } = await setUpFactor(owner, password);
  await age(owner);
  for (const { path } of pages.filter((page) => page.path !== "/sign-out")) {
    await owner.get(path);
  }
  expect((await owner.post("/sign-out")).status).toBe(302);
  await owner.get("/");

  expect((await owner.post("/auth", credentials)).headers.location).toContain("/auth/code");
  await owner.get("/auth/code");
  await app.reuse(site);
  expect((await owner.post("/auth/code", { code: app.code() })).status).toBe(302);
  await age(owner);
  expect((await owner.get("/admin")).status).toBe(200);

  const tab = openTab(site, { cookie: owner.cookieHeader(), address: newAddress(), origin });
  try {
    expect(await tab.status).toBe(101);
    const message = { name: "زائر", email: "visitor@example.com", message: "نص الرسالة السري" };
    expect((await new Visitor(site, origin).post("/", message)).status).toBe(302);
    await expect.poll(() => tab.frames.length, { timeout: 10_000 }).toBe(1);
  } finally {
    tab.socket.terminate();
  }
  return { owner, credentials };
}

/** Marks the visitor's access token as expired, so that the site refreshes it. */
export function expireToken(visitor: Visitor) {
  const [first] = visitor.sessionCookies();
  if (!first || first[1].startsWith("base64-")) {
    return;
  }
  visitor.setSession({ ...visitor.session(), expires_at: 1 });
}

async function age(visitor: Visitor) {
  const before = visitor.session();
  expireToken(visitor);
  await visitor.get("/account");
  expect(visitor.session().access_token).not.toBe(before.access_token);
}
