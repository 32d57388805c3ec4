import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type RunningSite, startSite } from "../e2e/site.ts";
import { type Api, type Caller, openApi } from "./api.ts";
import { newAddress, signedUp, type Visitor } from "./visitor.ts";

/** Without an account, with one that does not own the inbox, its owner, the server's own key. */
const roles = ["anon", "stranger", "owner at aal1", "owner at aal2", "service"] as const;
type Role = (typeof roles)[number];
type Cells = Record<Role, unknown>;

let site: RunningSite;
let api: Api;
let callers: Record<Role, Caller>;
let pages: { anon: Visitor; stranger: Visitor; owner: Visitor };
let messages = 0;

const rest = "/rest/v1/contact_messages";

function newRow() {
  messages += 1;
  return { name: `مرسل ${messages}`, email: "a@example.com", message: `نص الرسالة ${messages}` };
}

/** A stored message, and its id. */
async function stored() {
  const answer = await api.send(api.service, "POST", `${rest}?select=*`, newRow(), {
    Prefer: "return=representation",
  });
  return answer.json[0] as { id: string; name: string; message: string };
}

beforeAll(async () => {
  site = await startSite();
  api = await openApi(site);
  const owner = await signedUp(site);
  const stranger = await signedUp(site);
  pages = { anon: await signedUp(site), stranger, owner };
  await pages.anon.post("/sign-out");
  const aal1 = api.as(owner.session().access_token);
  callers = {
    anon: api.anon,
    stranger: api.as(stranger.session().access_token),
    "owner at aal1": aal1,
    "owner at aal2": aal1,
    service: api.service,
  };
  await stored();
}, 60_000);
afterAll(() => site?.stop());

/** The owner gets a second factor: the old session ends at aal1, a new one is at aal2. */
async function claimAndEnrol() {
  const { token: aal2 } = await api.enrol(callers["owner at aal1"].token ?? "");
  const claim = await api.send(api.as(aal2), "POST", "/rest/v1/rpc/claim_inbox", {});
  expect(claim.json).toBe(true);
  callers["owner at aal2"] = api.as(aal2);
  const signedIn = await pages.owner.post(
    "/auth",
    (pages.owner as Awaited<ReturnType<typeof signedUp>>).credentials,
  );
  expect(signedIn.status).toBe(302);
  callers["owner at aal1"] = api.as(pages.owner.session().access_token);
}

/** A cell of each role, as the table of outcomes has it. */
async function outcomes(ask: (caller: Caller) => Promise<unknown>): Promise<Cells> {
  const entries: [Role, unknown][] = [];
  for (const role of roles) entries.push([role, await ask(callers[role])]);
  return Object.fromEntries(entries) as Cells;
}

const each = (anon: unknown, stranger: unknown, aal1: unknown, aal2: unknown, service: unknown) =>
  ({ anon, stranger, "owner at aal1": aal1, "owner at aal2": aal2, service }) as Cells;
const all = (value: unknown) => each(value, value, value, value, value);
const refused = (service: unknown) => each(401, 403, 403, 403, service);

/** What a call did: its status, or for a table's rows whether it touched any. */
async function read(caller: Caller, columns = "*") {
  const answer = await api.send(caller, "GET", `${rest}?select=${columns}`);
  return answer.status === 200 ? (answer.json as unknown[]).length > 0 : answer.status;
}

async function write(caller: Caller, column: string, value: unknown) {
  const row = await stored();
  const answer = await api.send(caller, "PATCH", `${rest}?id=eq.${row.id}`, { [column]: value });
  const { json } = await api.send(api.service, "GET", `${rest}?id=eq.${row.id}&select=*`);
  const isChanged = JSON.stringify(json[0] ?? null) !== JSON.stringify({ ...row });
  return answer.status === 204 ? isChanged : answer.status;
}

async function count(caller: Caller) {
  const answer = await api.send(caller, "HEAD", rest, undefined, { Prefer: "count=exact" });
  return answer.status === 200
    ? !String(answer.headers["content-range"]).endsWith("/0")
    : answer.status;
}

async function insertAndRead(caller: Caller) {
  const answer = await api.send(caller, "POST", rest, newRow(), {
    Prefer: "return=representation",
  });
  return answer.status === 201 ? answer.json.length === 1 : answer.status;
}

async function upsert(caller: Caller) {
  const { id } = await stored();
  const answer = await api.send(
    caller,
    "POST",
    rest,
    { ...newRow(), id },
    { Prefer: "resolution=merge-duplicates" },
  );
  return answer.status;
}

describe.each([
  { when: "before the claim", claimed: false },
  { when: "after the claim", claimed: true },
])("$when", ({ claimed }) => {
  beforeAll(async () => {
    if (claimed) await claimAndEnrol();
  }, 60_000);

  // Before the claim every account reads; afterwards its owner, with the factor that it has.
  const reads = claimed ? each(401, false, false, true, true) : each(401, true, true, true, true);
  const sorts = claimed ? each(401, false, false, true, true) : each(401, true, true, true, true);

  describe("contact_messages over REST", () => {
    it.each(["*", "id", "name", "email", "message", "created_at", "spam_reason"])(
      "select %s",
      async (columns) => {
        expect(await outcomes((caller) => read(caller, columns))).toEqual(reads);
      },
    );

    it("count, and a row by its content", async () => {
      const known = await stored();
      const find = async (caller: Caller) => {
        const answer = await api.send(
          caller,
          "GET",
          `${rest}?message=eq.${encodeURIComponent(known.message)}`,
        );
        return answer.status === 200 ? answer.json.length === 1 : answer.status;
      };
      expect([await outcomes(count), await outcomes(find)]).toEqual([reads, reads]);
    });

    it.each<[string, object, Cells]>([
      ["the form's columns", {}, all(201)],
      ["spam_reason", { spam_reason: "trap" }, all(201)],
      ["id", { id: "00000000-0000-4000-8000-000000000001" }, refused(201)],
      ["created_at", { created_at: "2020-01-01T00:00:00Z" }, refused(201)],
    ])("insert with %s", async (_name, more, expected) => {
      const insert = async (caller: Caller) => {
        const row = { ...newRow(), ...more };
        return (await api.send(caller, "POST", rest, row)).status;
      };
      expect(await outcomes(insert)).toEqual(expected);
    });

    it("insert and read back", async () => {
      expect(await outcomes(insertAndRead)).toEqual(
        claimed ? each(401, 403, 403, true, true) : each(401, true, true, true, true),
      );
    });

    it("insert over a row that is there", async () => {
      expect(await outcomes(upsert)).toEqual(
        refused(expect.toSatisfy((s) => s === 200 || s === 201)),
      );
    });

    it.each<[string, unknown, Cells]>([
      ["spam_reason", "links", sorts],
      ["name", "غيره", refused(true)],
      ["email", "other@example.com", refused(true)],
      ["message", "غيره", refused(true)],
      ["id", "00000000-0000-4000-8000-000000000002", refused(true)],
      ["created_at", "2020-01-01T00:00:00Z", refused(true)],
    ])("update of %s", async (column, value, expected) => {
      expect(await outcomes((caller) => write(caller, column, value))).toEqual(expected);
      await api.send(api.service, "DELETE", `${rest}?id=eq.00000000-0000-4000-8000-000000000002`);
    });

    it("delete", async () => {
      const remove = async (caller: Caller) => {
        const { id } = await stored();
        const { status } = await api.send(caller, "DELETE", `${rest}?id=eq.${id}`);
        const left = await api.send(api.service, "GET", `${rest}?id=eq.${id}`);
        return status === 204 ? left.json.length === 0 : [status, left.json.length];
      };
      expect(await outcomes(remove)).toEqual(each([401, 1], [403, 1], [403, 1], [403, 1], true));
      await api.send(api.service, "DELETE", `${rest}?id=eq.00000000-0000-4000-8000-000000000001`);
    });
  });

  it.each([
    "site_owner",
    "reserved_owner",
    "limits",
    "attempts",
    "trusted_site",
    "message_counts",
    "recovery_codes",
    "users",
    "sessions",
    "refresh_tokens",
    "identities",
    "mfa_factors",
    "mfa_challenges",
    "mfa_amr_claims",
    "one_time_tokens",
    "flow_state",
    "schema_migrations",
    "pg_authid",
    "scripts",
  ])("the table %s is nowhere to be found", async (table) => {
    const asked = async (caller: Caller) => {
      const statuses = new Set<number>();
      for (const name of [table, `private.${table}`, `auth.${table}`])
        for (const method of ["GET", "POST", "PATCH", "DELETE"]) {
          const body = method === "GET" || method === "DELETE" ? undefined : {};
          statuses.add((await api.send(caller, method, `/rest/v1/${name}?id=eq.1`, body)).status);
        }
      for (const profile of ["private", "auth", "embedded", "pg_catalog"])
        statuses.add(
          (
            await api.send(caller, "GET", `/rest/v1/${table}`, undefined, {
              "Accept-Profile": profile,
            })
          ).status,
        );
      return Array.from(statuses).filter((status) => status !== 404 && status !== 406);
    };
    expect(await outcomes(asked)).toEqual(all([]));
  });

  it.each([
    "is_plain_text",
    "is_visible",
    "session_is_open",
    "second_factor_is_met",
    "reserved_accounts",
    "inbox_owner",
    "may_read_inbox",
    "receive_message",
    "count_message",
    "count_messages",
    "client_address",
    "uid",
    "jwt",
    "pg_sleep",
    "pg_read_file",
    "set_config",
    "version",
    "query_to_xml",
  ])("the function %s is nowhere to be found", async (name) => {
    const asked = async (caller: Caller) => {
      const answers = [
        await api.send(caller, "POST", `/rest/v1/rpc/${name}`, {}),
        await api.send(caller, "POST", `/rest/v1/rpc/private.${name}`, {}),
        await api.send(
          caller,
          "POST",
          `/rest/v1/rpc/${name}`,
          {},
          { "Content-Profile": "private" },
        ),
      ];
      return answers
        .map(({ status }) => status)
        .filter((status) => status !== 404 && status !== 406);
    };
    expect(await outcomes(asked)).toEqual(all([]));
  });

  it.each<[string, object, Cells]>([
    [
      "inbox_state",
      {},
      claimed
        ? each(401, ["other", false, 0], ["me", false, 0], ["me", true, 1], ["other", false, 0])
        : each(
            401,
            ["nobody", true, 1],
            ["nobody", true, 1],
            ["nobody", true, 1],
            ["nobody", true, 1],
          ),
    ],
  ])("the function %s", async (name, body, expected) => {
    const asked = async (caller: Caller) => {
      const { status, json } = await api.send(caller, "POST", `/rest/v1/rpc/${name}`, body);
      const state = Array.isArray(json) ? json[0] : json;
      return status === 200 ? [state.owner, state.may_read, Math.sign(state.messages)] : status;
    };
    expect(await outcomes(asked)).toEqual(expected);
  });

  const noOne = "00000000-0000-4000-8000-000000000000";
  it.each<[string, object, Cells]>([
    [
      "reserve_inbox",
      { address: "x@example.com" },
      each(401, 403, 403, 403, claimed ? true : undefined),
    ],
    ["end_session", { session_id: noOne }, each(401, false, false, false, false)],
    ["use_recovery_code", { code: "00000" }, each(401, false, false, false, false)],
    ["count_recovery_codes", {}, each(401, 0, 0, 0, 0)],
    ["renew_recovery_codes", {}, each(401, 403, 403, claimed ? 10 : 403, 403)],
    ["my_sessions", {}, each(401, 1, claimed ? 0 : 1, claimed ? 2 : 1, 0)],
    ["take_attempt", { kind: "sign-in", account: noOne }, all(null)],
    ["take_attempt", { kind: "message", account: noOne }, all(400)],
    ["take_attempt", { kind: "sign-in", account: "x".repeat(400) }, all(400)],
    ["take_attempt", { kind: null, account: null }, all(400)],
    [
      "claim_inbox",
      {},
      claimed
        ? each(401, false, false, true, false)
        : each(401, undefined, undefined, undefined, false),
    ],
  ])("the function %s with %j", async (name, body, expected) => {
    const asked = async (caller: Caller) => {
      const role = roles.find((known) => callers[known] === caller) as Role;
      if (expected[role] === undefined) return undefined;
      const { status, json } = await api.send(caller, "POST", `/rest/v1/rpc/${name}`, body);
      if (status !== 200) return status;
      return Array.isArray(json) ? json.length : json;
    };
    expect(await outcomes(asked)).toEqual(expected);
  });

  // In each order of joining: what one may see must not be taken for what its neighbour may.
  it.each(roles.map((_role, first) => [...roles.slice(first), ...roles.slice(0, first)]))(
    "the live channel, joined by %s before the others",
    async (...order) => {
      const listeners = new Map<Role, Awaited<ReturnType<typeof listen>>>();
      for (const role of order) listeners.set(role, await listen(callers[role]));
      const { name } = await stored();
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const heard = roles.filter((role) => listeners.get(role)?.texts.join().includes(name));
      for (const { stop } of listeners.values()) await stop();
      expect(heard).toEqual(claimed ? ["owner at aal2", "service"] : roles.slice(1));
    },
  );

  it("the pages", async () => {
    const { name } = await stored();
    const { id } = await stored();
    const shown = async (visitor: Visitor) => {
      const board = await visitor.get("/admin");
      const data = await visitor.get("/admin.data");
      const sort = await visitor.post("/admin", { id });
      return [board.status, board.text.includes(name), data.text.includes(name), sort.status];
    };
    expect({
      anon: await shown(pages.anon),
      stranger: await shown(pages.stranger),
      "owner at aal1": await shown(pages.owner),
    }).toEqual({
      anon: [302, false, false, 302],
      stranger: [200, !claimed, !claimed, 302],
      // Asked for the code first.
      "owner at aal1": claimed ? [302, false, false, 302] : [200, true, true, 302],
    });
  });
});

async function listen({ apikey, token }: Caller) {
  const client = createClient(site.url, apikey, {
    ...(token && { accessToken: async () => token }),
    realtime: { headers: { "X-Forwarded-For": newAddress() } },
  });
  await client.realtime.setAuth();
  const texts: string[] = [];
  const filter = { event: "*", schema: "public", table: "contact_messages" } as const;
  await new Promise<void>((resolve) => {
    client
      .channel("contact_messages_changes")
      .on("postgres_changes", filter, (payload) => void texts.push(JSON.stringify(payload)))
      .subscribe((status) => status !== "CLOSED" && resolve());
  });
  return {
    texts,
    async stop() {
      await client.removeAllChannels();
      await client.realtime.disconnect();
    },
  };
}
