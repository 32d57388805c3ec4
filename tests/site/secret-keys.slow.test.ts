import { afterAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { startHook } from "#tests/support/hook.ts";
import { legacyKey, secretKey } from "#tests/support/keys.ts";
import { cookieOf, openTab } from "#tests/support/live.ts";
import { mailsTo } from "#tests/support/mails.ts";
import { receiptPath, sendForReceipt, storedWith } from "#tests/support/receipts.ts";
import { callAsSite } from "#tests/support/site-call.ts";
import { startSite } from "#tests/support/site.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { useHostedSite } from "#tests/support/use-hosted-site.ts";
import { setUpFactor } from "#tests/support/visitor-factor.ts";
import { ask, signedUp, Visitor } from "#tests/support/visitor.ts";
import { wholeVisit } from "#tests/support/whole-visit.ts";

const hook = await startHook();
beforeEach(() => void (hook.posts.length = 0));
afterAll(() => hook[Symbol.asyncDispose]());

// All of the site beside a hosted Supabase and its gateway, with each kind of secret key.
describe.each([
  ["sb_secret_…", secretKey],
  ["service_role", legacyKey],
])("with a key %s", (_kind, key) => {
  const settings = { SUPABASE_SECRET_KEY: key, NOTIFICATION_URL: hook.url };
  const { supabase, env, site } = useHostedSite(settings);

  test("an account signs up, sets up a factor, signs in by its code, and reads live what a visitor sends", async () => {
    const { owner } = await wholeVisit({ url: site.url, dataDir: supabase.dataDir });
    expect((await owner.get("/admin")).status).toBe(200);
  });

  test("the account page names browsers, and ends their sessions", async () => {
    const visitor = await signedUp(site);
    const agent =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Safari/604.1";
    const phone = new Visitor(site);
    const signIn = await phone.post("/auth", visitor.credentials, { "User-Agent": agent });
    expect(signIn.status).toBe(302);
    expect(decodeURIComponent(signIn.headers.location ?? "")).toContain("/admin");
    const account = await visitor.get("/account");
    expect(account.text).toContain("Chrome · Linux");
    expect(account.text).toContain("Safari · iPhone");
    const proof = { current: visitor.credentials.password };
    expect((await visitor.post("/account/sessions/others/end", proof)).status).toBe(302);
    expect((await phone.get("/admin")).headers.location).toContain("/auth");
    expect((await visitor.get("/admin")).status).toBe(200);
  });

  test("a password is reset by mail, and a second factor asks for its code", async () => {
    const { credentials } = await signedUp(site);
    const { email } = credentials;
    const visitor = new Visitor(site);
    expect((await visitor.post("/auth/forgot", { email })).status).toBe(302);
    const link = () =>
      mailsTo(supabase, email).then((mails) => mails.find((mail) => mail.link)?.link);
    await expect.poll(link, { timeout: 10_000 }).toBeDefined();
    const { pathname, search } = (await link()) ?? new URL(site.url);
    const opened = await visitor.post(pathname + search);
    expect(opened.status).toBe(302);
    expect(decodeURIComponent(opened.headers.location ?? "")).toContain("/account/password");
    const password = "another password";
    expect((await visitor.post("/account/password", { password })).status).toBe(302);

    const { app } = await setUpFactor(visitor, password);
    const again = new Visitor(site);
    const signIn = await again.post("/auth", { email, password });
    expect(signIn.status).toBe(302);
    expect(decodeURIComponent(signIn.headers.location ?? "")).toContain("/auth/code");
    const code = await again.post("/auth/code", { code: app.code() });
    expect(code.status).toBe(302);
    expect((await again.get("/admin")).status).toBe(200);
  });

  test("the visitors' messages are counted by their addresses, not the site's", async () => {
    const sender = new Visitor(site);
    const statuses: number[] = [];
    for (let number = 0; number < 11; number += 1) {
      const message = { name: "ن", email: "a@example.com", message: `رسالة ${number}` };
      statuses.push((await sender.post("/", message)).status);
      expect((await new Visitor(site).post("/", message)).status).toBe(302);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 302), 429]);
  });

  test("at two processes: the owner's session, live board, notification and counters, and a visitor's receipt", async () => {
    const other = await startSite({ ...env, ...settings });
    onTestFinished(() => other.stop());
    const owner = await signedUp(site);
    const { data: code } = await callAsSite(supabase, "new_claim_code", {});
    expect((await owner.post("/admin/claim", { code })).status).toBe(302);
    const moved = new Visitor(other);
    owner.cookies.forEach((value, name) => moved.cookies.set(name, value));
    expect((await moved.get("/admin")).status).toBe(200);
    const { frames, socket, status } = openTab(other, {
      cookie: cookieOf(moved),
      address: newAddress(),
    });
    expect(await status).toBe(101);
    await new Visitor(site).get("/");
    const path = receiptPath(await sendForReceipt(site, "أريد متجرًا"));
    await expect.poll(() => frames.filter((frame) => frame.includes("متجرًا"))).toHaveLength(1);
    socket.close();
    await expect.poll(() => hook.posts.length).toBe(1);

    expect((await ask(other, "GET", path)).text).toContain("أريد متجرًا");
    expect((await new Visitor(other).post(path)).status).toBe(302);
    expect(await storedWith(supabase, "أريد متجرًا")).toEqual([]);

    // The account page saves the numbers first.
    expect((await owner.get("/account")).text).toContain("مشاهدات الصفحة");
    const [views] = await withSuperuser(
      supabase.dataDir,
      (sql) => sql`select sum(times)::int as times from private.counts where what = 'view'`,
    );
    expect(views?.["times"]).toBeGreaterThan(0);
    expect(site.output() + other.output()).not.toContain(" error ");
  });
});
