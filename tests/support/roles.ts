import { expect } from "vitest";
import { type Api, type Caller, openApi } from "./api.ts";
import { startSite } from "./site.ts";
import { signedUp, type Visitor } from "./visitor.ts";

/** Without an account, with one that does not own the inbox, its owner, the server's own key. */
export const roles = ["anon", "stranger", "owner at aal1", "owner at aal2", "service"] as const;
export type Role = (typeof roles)[number];
export type Cells = Record<Role, unknown>;

/** The roles, as callers of the API and as visitors of the pages. */
interface People {
  callers: Record<Role, Caller>;
  pages: { anon: Visitor; stranger: Visitor; owner: Awaited<ReturnType<typeof signedUp>> };
}

/** When every outcome is looked at, in this order. */
export const standings = [
  { when: "before the claim", claimed: false },
  { when: "after the claim", claimed: true },
];

export const rest = "/rest/v1/contact_messages";

let messages = 0;

/** A message unlike all others. */
export function newRow() {
  messages += 1;
  return { name: `مرسل ${messages}`, email: "a@example.com", message: `نص الرسالة ${messages}` };
}

/** A stored message, and its id. */
export async function stored(api: Api) {
  const answer = await api.send(api.service, "POST", `${rest}?select=*`, newRow(), {
    Prefer: "return=representation",
  });
  return answer.json[0] as { id: string; name: string; message: string };
}

/** Signs every role up on a new site, where one message waits. */
export async function startRoles() {
  const site = await startSite();
  const api = await openApi(site);
  const owner = await signedUp(site);
  const stranger = await signedUp(site);
  const pages = { anon: await signedUp(site), stranger, owner };
  await pages.anon.post("/sign-out");
  const aal1 = api.as(owner.session().access_token);
  const callers = {
    anon: api.anon,
    stranger: api.as(stranger.session().access_token),
    "owner at aal1": aal1,
    "owner at aal2": aal1,
    service: api.service,
  };
  await stored(api);
  const people: People = { callers, pages };
  return { site, api, people, claim: () => claimAndEnrol(api, people) };
}

export type RolesSite = Awaited<ReturnType<typeof startRoles>>;

/** The owner gets a second factor: the old session ends at aal1, a new one is at aal2. */
async function claimAndEnrol(api: Api, { callers, pages }: People) {
  const { token: aal2 } = await api.enrol(callers["owner at aal1"].token ?? "");
  await api.claim(aal2);
  callers["owner at aal2"] = api.as(aal2);
  // In another browser: a session that is signed over in its own ends.
  pages.owner.cookies.clear();
  const signedIn = await pages.owner.post("/auth", pages.owner.credentials);
  expect(signedIn.status).toBe(302);
  callers["owner at aal1"] = api.as(pages.owner.session().access_token);
}

/** A cell of each role, as the table of outcomes has it. */
export async function outcomes(
  { callers }: People,
  ask: (caller: Caller) => Promise<unknown>,
): Promise<Cells> {
  const entries: [Role, unknown][] = [];
  for (const role of roles) {
    entries.push([role, await ask(callers[role])]);
  }
  return Object.fromEntries(entries) as Cells;
}

/** The cells of a row of the table of outcomes, in the order of `roles`. */
export const each = (
  anon: unknown,
  stranger: unknown,
  aal1: unknown,
  aal2: unknown,
  service: unknown,
) => ({ anon, stranger, "owner at aal1": aal1, "owner at aal2": aal2, service }) as Cells;
/** The cells of a row with the same outcome for all. */
export const all = (value: unknown) => each(value, value, value, value, value);
