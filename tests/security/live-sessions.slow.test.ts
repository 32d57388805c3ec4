import { signAccessToken } from "embedded-supabase/testing";
import { decodeJwt } from "jose";
import { expect, onTestFinished } from "vitest";
import { openApi } from "#tests/support/api.ts";
import { test } from "#tests/support/live-test.ts";
import { cookieOf, cookieWith, insert, namesOf } from "#tests/support/live.ts";
import { startSite } from "#tests/support/site.ts";
import { without } from "#tests/support/superuser.ts";
import { useApi, useOwnSite } from "#tests/support/use-site.ts";
import { signedIn, signedUp } from "#tests/support/visitor.ts";

const site = useOwnSite();
const api = useApi(site);

test("an ended session receives nothing more, and its sockets close at the next ping, as in a token's last minute", async ({
  open,
}) => {
  const own = await startSite();
  onTestFinished(() => own.stop());
  const ownApi = await openApi(own);
  const signedOut = await signedUp(own);
  const endedElsewhere = await signedUp(own);
  const newPassword = await signedUp(own);
  const newFactor = await signedUp(own);
  const strangers = await signedUp(own);
  const owner = await signedUp(own);
  const cookies = [
    cookieOf(signedOut),
    cookieOf(endedElsewhere),
    cookieOf(await signedIn(own, newPassword.credentials)),
    cookieOf(await signedIn(own, newFactor.credentials)),
    cookieOf(strangers),
  ];
  const ended = cookies.map((cookie) => open(own, cookie));
  const dead = open(own, cookieOf(owner), { autoPong: false });
  const kept = open(own, cookieOf(owner));
  for (const tab of [...ended, dead, kept]) {
    expect(await tab.status).toBe(101);
  }

  await signedOut.post("/sign-out");
  const other = await signedIn(own, endedElsewhere.credentials);
  const proof = { current: endedElsewhere.credentials.password };
  expect((await other.post("/account/sessions/others/end", proof)).status).toBe(302);
  const password = { password: "another one", current: newPassword.credentials.password };
  expect((await newPassword.post("/account/password", password)).status).toBe(302);
  await ownApi.enrol(newFactor.session().access_token);
  const code = own.claimCode();
  expect((await owner.post("/admin/claim", { code })).status).toBe(302);

  await insert(ownApi, "بعد النهاية");
  await expect.poll(() => namesOf(kept)).toEqual(["بعد النهاية"]);
  for (const tab of ended) {
    expect(await tab.closed).toBe(1001);
    expect(tab.frames).toEqual([]);
  }
  // This socket does not answer a ping before the next one. A fault of the database ends no other.
  expect(await without(own, "inbox_state", () => dead.closed)).toBe(1006);
  expect(kept.socket.readyState).toBe(kept.socket.OPEN);

  // In the last minute of its token. The next handshake renews it, and nothing is missed.
  const again = await signedIn(own, owner.credentials);
  const claims = decodeJwt<{ role: string; exp: number }>(again.session().access_token);
  const exp = Math.floor(Date.now() / 1000) + 62;
  const aging = open(
    own,
    cookieWith(again, await signAccessToken(ownApi.keys, { ...claims, exp })),
  );
  expect(await aging.status).toBe(101);
  expect(await aging.closed).toBe(1001);
  expect(kept.socket.readyState).toBe(kept.socket.OPEN);
});

test("the handshake renews a session whose token has expired, like a page", async ({ open }) => {
  const visitor = await signedUp(site);
  const token = await signAccessToken(api.keys, {
    ...decodeJwt<{ role: string; exp: number }>(visitor.session().access_token),
    exp: Math.floor(Date.now() / 1000) - 1,
  });
  const tab = open(site, cookieWith(visitor, token, { expires_at: 1 }));
  expect(await tab.status).toBe(101);
  const [renewed = ""] = (await tab.cookies).map((cookie) => cookie.replace(/;.*/, ""));
  expect(renewed).toMatch(/^session=/);
  await insert(api, "بعد تجديد الجلسة");
  await expect.poll(() => namesOf(tab)).toEqual(["بعد تجديد الجلسة"]);
  expect(await open(site, renewed).status).toBe(101);
});
