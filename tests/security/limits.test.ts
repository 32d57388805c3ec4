import { describe, expect, test } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { openApi } from "#tests/support/api.ts";
import { startSite } from "#tests/support/site.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { useSite } from "#tests/support/use-site.ts";
import { setUpFactor } from "#tests/support/visitor-factor.ts";
import { Visitor, newCredentials, signedUp } from "#tests/support/visitor.ts";

let sent = 0;
function newMessage() {
  sent += 1;
  return { name: "زائر", email: "a@example.com", message: `رسالة لا تتكرر ${sent}` };
}

async function statuses(count: number, send: (index: number) => Promise<{ status: number }>) {
  const list: number[] = [];
  for (let index = 0; index < count; index += 1) {
    list.push((await send(index)).status);
  }
  return list;
}

const tenThenNoMore = (taken: number) => [...Array.from({ length: 10 }, () => taken), 429, 429];

describe("behind a trusted proxy", () => {
  const site = useSite();

  test("the eleventh message of an address is refused for now, with any headers, and keeps its text", async () => {
    const address = newAddress();
    const text = newMessage();
    const post = (index: number) =>
      new Visitor(site).post(
        "/",
        { ...(index === 12 ? text : newMessage()), t_extra: "" },
        {
          // Only the last entry is the proxy's own.
          "X-Forwarded-For": `${newAddress()}, ${address}`,
          "CF-Connecting-IP": newAddress(),
          "X-Real-IP": newAddress(),
          Forwarded: `for=${newAddress()}`,
          "True-Client-IP": newAddress(),
        },
      );
    expect(await statuses(12, post)).toEqual(tenThenNoMore(302));
    const refused = await post(12);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers["retry-after"])).toSatisfy((s) => s > 500 && s <= 600);
    expect(refused.text).toContain(text.message);
    expect(refused.text).toContain("وصلتني منك رسائل كثيرة في وقت قصير");
    expect((await new Visitor(site).post("/", { ...text, t_extra: "" })).status).toBe(302);
  });

  test("a /48 of IPv6 can send ten times as many messages as a /64, and another one is not affected", async () => {
    const api = await openApi(site);
    const isStored: boolean[] = [];
    for (let number = 0; number < 111; number += 1) {
      const address = number < 110 ? `2001:db8:7:${number}::1` : "2001:db8:8::1";
      isStored.push((await api.leave(newMessage(), address)).json.wait_seconds === null);
    }
    expect(isStored).toEqual(
      Array.from({ length: 111 }, (_, index) => index < 100 || index === 110),
    );
  });

  test("wrong passwords from one address are limited, and do not lock the owner out elsewhere", async () => {
    const { credentials } = await signedUp(site);
    const guesser = new Visitor(site);
    const guess = () => guesser.post("/auth", { ...credentials, password: "wrong one" });
    expect(await statuses(11, guess)).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
    // The right password is refused too. The form keeps its text except for the password.
    const refused = await guesser.post("/auth", credentials);
    expect([refused.status, refused.text.includes(credentials.email)]).toEqual([429, true]);
    expect(refused.text).not.toContain(credentials.password);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect((await new Visitor(site).post("/auth", credentials)).status).toBe(302);
  });

  test("sign-ins that succeed are no attempts, and wrong ones between them still count", async () => {
    const { credentials } = await signedUp(site);
    const visitor = new Visitor(site);
    const signIn = async (password: string) => {
      const answer = await visitor.post("/auth", { ...credentials, password });
      await visitor.post("/sign-out");
      return answer;
    };
    const list = await statuses(22, (index) => {
      // Without the browser's proof, whose tries are counted apart.
      visitor.cookies.clear();
      return signIn(index % 2 ? credentials.password : "wrong one");
    });
    expect(list.slice(0, 19).filter((status) => status === 429)).toEqual([]);
    expect(list.at(-1)).toBe(429);
  });

  test("a password or a code that the account page accepts is no attempt", async () => {
    const visitor = await signedUp(site);
    const { password: current } = visitor.credentials;
    const counted = () =>
      withSuperuser(site.dataDir, async (sql) => {
        const rows = await sql<{ points: number }>`
          select points from private.attempts where name in ('sign-in', 'code')`;
        return rows.reduce((sum, { points }) => sum + points, 0);
      });
    const before = await counted();
    const { app } = await setUpFactor(visitor, current);
    expect(await counted()).toBe(before);
    const prove = (code: string) => visitor.post("/account/factors/new", { name: "آخر", code });
    expect([(await prove(app.code())).status, await counted()]).toEqual([200, before]);
    expect((await prove("000000")).status).toBe(422);
    expect(await counted()).toBeGreaterThan(before);
  });

  test("an attempt that cannot be counted is refused", async () => {
    const { credentials } = await signedUp(site);
    const change = (statement: string) =>
      withSuperuser(site.dataDir, (sql) => sql.script(`${statement} service_role`));
    await change("revoke execute on function public.take_attempt from");
    expect((await new Visitor(site).post("/auth", credentials)).status).toBe(503);
    await change("grant execute on function public.take_attempt to");
    expect((await new Visitor(site).post("/auth", credentials)).status).toBe(302);
  });

  test.each([
    { name: "sign-ins", path: "/auth", allowed: 20, seconds: 600 },
    { name: "sign-ups", path: "/auth?mode=sign-up", allowed: 10, seconds: 3600 },
    { name: "reset mails", path: "/auth/forgot", allowed: 5, seconds: 3600 },
    { name: "codes", path: "/auth/confirm?type=recovery", allowed: 20, seconds: 600 },
  ])("$name from one address are limited", async ({ path, allowed, seconds }) => {
    const visitor = new Visitor(site);
    const post = () => {
      visitor.cookies.clear();
      return visitor.post(path, { ...newCredentials(), code: "000000" });
    };
    const list = await statuses(allowed + 1, post);
    expect(list.slice(0, allowed).filter((status) => status === 429)).toEqual([]);
    expect(list.at(-1)).toBe(429);
    const wait = Number((await post()).headers["retry-after"]);
    expect([wait > seconds - 100, wait <= seconds]).toEqual([true, true]);
  });
});

test("without a trusted proxy no header lets one visitor count as many, and one line says what to set", async () => {
  const site = await startSite({ TRUSTED_PROXIES: "" });
  const send = () => new Visitor(site).post("/", { ...newMessage(), t_extra: "" });
  expect(await statuses(12, send)).toEqual(tenThenNoMore(302));
  await expect
    .poll(() => site.output().match(/.*X-Forwarded-For.*/g))
    .toEqual([expect.stringMatching(/ warn .*set TRUSTED_PROXIES=loopback$/)]);
  await site.stop();
});
