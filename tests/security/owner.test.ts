import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, describe, expect, test } from "vitest";

import { type RunningSite, startSite } from "#tests/support/site.ts";
import { type Api, openApi } from "#tests/support/api.ts";
import { confirm } from "#tests/support/confirm-mail.ts";
import { newCredentials, signedUp, Visitor } from "#tests/support/visitor.ts";

const owner = { email: "owner@example.com", password: "the owner's own" };
const attacker = { email: owner.email, password: "the attacker's" };
const message = { name: "زائرة", email: "a@example.com", message: "لا يقرؤها إلا صاحب الموقع" };

const sites: RunningSite[] = [];
async function start(env: Record<string, string> = {}) {
  const site = await startSite(env);
  sites.push(site);
  return { site, api: await openApi(site) };
}
afterEach(async () => {
  for (const site of sites.splice(0)) {
    await site.stop();
  }
});

/** The code in the link that the last start printed. */
const codeOf = (site: RunningSite) =>
  new URL(site.claimPath(), site.url).searchParams.get("code") ?? "";

function claim(api: Api, token: string, code: string, address?: string) {
  const caller = { ...api.as(token), ...(address && { address }) };
  return api.send(caller, "POST", "/rest/v1/rpc/claim_inbox", { code });
}

async function reads(api: Api, credentials: typeof owner): Promise<boolean> {
  const token = await api.signIn(credentials).catch(() => undefined);
  if (token === undefined) {
    return false;
  }
  const { json } = await api.send(api.as(token), "GET", "/rest/v1/contact_messages?select=name");
  return json.length > 0;
}

describe("the claim", () => {
  test("of twenty accounts with the code at the same moment is one account's", async () => {
    const { site, api } = await start();
    const visitors = [];
    for (let count = 0; count < 20; count += 1) {
      visitors.push(await signedUp(site));
    }
    await api.send(api.service, "POST", "/rest/v1/contact_messages", message);
    const code = codeOf(site);
    const claims = await Promise.all(
      visitors.map((visitor, index) =>
        index % 2
          ? claim(api, visitor.session().access_token, code)
          : visitor.post("/admin/claim", { code }),
      ),
    );
    expect(claims.filter(({ status }) => status >= 500)).toEqual([]);
    const boards = await Promise.all(visitors.map((visitor) => visitor.get("/admin")));
    expect(boards.filter(({ text }) => text.includes(message.message))).toHaveLength(1);
  }, 60_000);

  test("needs the code of the last start, once", async () => {
    const { site, api } = await start();
    const stranger = await signedUp(site);
    const old = codeOf(site);
    for (const code of ["", "00000-00000-00000-00000", `${old}0`, old.slice(0, -1)]) {
      const answer = await stranger.post("/admin/claim", { code });
      expect([code, answer.status]).toEqual([code, 400]);
      expect(answer.text).toMatch(code === "" ? "اكتب الرمز" : "الرمز غير صحيح");
    }
    await site.restart("SIGTERM");
    expect((await claim(api, stranger.session().access_token, old)).json).toBe(false);

    const claimer = await signedUp(site);
    // As it is typed from a terminal.
    const typed = ` ${codeOf(site).replaceAll("-", " ").toUpperCase()} `;
    expect((await claimer.post("/admin/claim", { code: typed })).status).toBe(302);
    const code = codeOf(site);
    expect((await claim(api, stranger.session().access_token, code)).json).toBe(false);
    expect((await claim(api, claimer.session().access_token, code)).json).toBe(true);
    await site.restart("SIGTERM");
    expect(site.output()).not.toContain("claim");
  });

  test("is limited", async () => {
    const { site, api } = await start();
    const stranger = await signedUp(site);
    const tries: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      tries.push((await stranger.post("/admin/claim", { code: `${count}`.repeat(20) })).status);
    }
    expect(tries).toEqual([...Array.from({ length: 10 }, () => 400), 429, 429]);
    const direct = await claim(
      api,
      stranger.session().access_token,
      codeOf(site),
      stranger.address,
    );
    expect(direct.status).toBe(429);
    const claimer = await signedUp(site);
    expect((await claimer.post("/admin/claim", { code: codeOf(site) })).status).toBe(302);
  });

  test("keeps its code from whoever is not signed in, and comes back to it", async () => {
    const { site } = await start();
    const visitor = new Visitor(site);
    const { headers } = await visitor.get(site.claimPath());
    const target = new URL(headers.location ?? "", site.url);
    expect([target.pathname, target.searchParams.get("next")]).toEqual(["/auth", site.claimPath()]);
    target.searchParams.set("mode", "sign-up");
    const signUp = await visitor.post(target.pathname + target.search, newCredentials());
    expect(signUp.headers.location).toBe(site.claimPath());
    expect((await visitor.get(site.claimPath())).text).toContain(`value="${codeOf(site)}"`);
  });

  test("leaves nobody but the owner to sort", async () => {
    const { site, api } = await start();
    const spam = { ...message, spam_signs: ["trap"] };
    await api.send(api.anon, "POST", "/rest/v1/contact_messages", spam);
    const reader = await signedUp(site);
    const before = await reader.get("/admin?box=spam");
    expect(before.text).toContain(message.message);
    expect(before.text).not.toContain("ليست مزعجة");
    await api.claim(reader.session().access_token);
    expect((await reader.get("/admin?box=spam")).text).toContain("ليست مزعجة");
  });
});

describe("SITE_OWNER_EMAIL", () => {
  const reserved = { CONFIRM_EMAIL: "true", SITE_OWNER_EMAIL: owner.email };

  test("gives the inbox to whoever confirms the address, and nobody before", async () => {
    const { site, api } = await start(reserved);
    await api.send(api.service, "POST", "/rest/v1/contact_messages", message);
    const other = newCredentials();
    for (const credentials of [owner, other]) {
      await new Visitor(site).post("/auth?mode=sign-up", credentials);
    }
    await confirm(site, other.email);
    expect([await reads(api, owner), await reads(api, other)]).toEqual([false, false]);
    await confirm(site, owner.email);
    expect([await reads(api, owner), await reads(api, other)]).toEqual([true, false]);
    const made = await api.send(api.service, "POST", "/rest/v1/rpc/new_claim_code", {});
    expect(made.json).toBe(null);
    expect((await claim(api, await api.signIn(other), "")).json).toBe(false);
  });

  test("says so when somebody else claimed the inbox before, and of the owner nothing", async () => {
    const { site } = await start();
    await (await signedUp(site)).post("/admin/claim", { code: codeOf(site) });
    await site.end("SIGTERM");
    const { site: late } = await start({ ...reserved, DATA_DIR: site.dataDir });
    expect(late.output()).toContain("whose address is not SITE_OWNER_EMAIL's");

    const { site: own } = await start();
    await (await signedUp(own, owner)).post("/admin/claim", { code: codeOf(own) });
    await own.end("SIGTERM");
    const { site: again } = await start({ ...reserved, DATA_DIR: own.dataDir });
    expect(again.output()).not.toMatch(/The inbox/);
  });

  test("leaves it to the owner after a new password, before the next start too", async () => {
    const { site, api } = await start(reserved);
    await api.send(api.service, "POST", "/rest/v1/contact_messages", message);
    await new Visitor(site).post("/auth?mode=sign-up", owner);
    const visitor = await confirm(site, owner.email);
    const password = "the owner's next one";
    const token = api.as(visitor.session().access_token);
    expect((await api.send(token, "PUT", "/auth/v1/user", { password })).status).toBe(200);
    expect(await reads(api, { ...owner, password })).toBe(true);
  });

  test("does not give it to whoever signed up first with the address", async () => {
    const { site, api } = await start(reserved);
    await api.send(api.service, "POST", "/rest/v1/contact_messages", message);
    await new Visitor(site).post("/auth?mode=sign-up", attacker);
    expect(await reads(api, attacker)).toBe(false);
    // One mail a minute: it is the first one's link that the owner follows.
    await new Visitor(site).post("/auth?mode=sign-up", owner);
    const visitor = await confirm(site, owner.email);
    expect((await visitor.get("/admin")).text).toContain(message.message);
    expect(await reads(api, attacker)).toBe(false);
  });

  test("does not give it to whoever had the address while none was confirmed", async () => {
    const folder = await mkdtemp(join(tmpdir(), "tawasul-kept-"));
    await chmod(folder, 0o711);
    const DATA_DIR = join(folder, "data");
    const { site } = await start({ DATA_DIR, CONFIRM_EMAIL: "false" });
    await signedUp(site, attacker);
    await site.stop();
    const again = await start({ DATA_DIR, ...reserved });
    const { api } = again;
    await api.send(api.service, "POST", "/rest/v1/contact_messages", message);
    expect(await api.signIn(attacker)).toMatch(/^ey/);
    expect(await reads(api, attacker)).toBe(false);
    const change = { password: "the attacker's next" };
    const changed = await api.send(api.as(await api.signIn(attacker)), "PUT", "/auth/v1/user", {
      ...change,
      current_password: attacker.password,
    });
    expect([changed.status, await reads(api, { ...attacker, ...change })]).toEqual([200, false]);

    // The owner's mail counts once the attacker is out by it, and not a moment earlier.
    await api.send(api.anon, "POST", "/auth/v1/recover", { email: owner.email });
    const visitor = await confirm(again.site, owner.email);
    expect(await reads(api, { ...attacker, ...change })).toBe(false);
    const token = api.as(visitor.session().access_token);
    const { password } = owner;
    expect((await api.send(token, "PUT", "/auth/v1/user", { password })).status).toBe(200);
    expect(await reads(api, { ...attacker, ...change })).toBe(false);
    expect(await reads(api, owner)).toBe(true);
    await again.site.stop();
    await rm(folder, { recursive: true });
  });
});
