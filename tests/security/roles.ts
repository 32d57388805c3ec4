import { expect } from "vitest";
import type { Api, Caller } from "#tests/support/api.ts";
import type { RunningSite } from "#tests/support/site.ts";
import { signedUp, Visitor } from "#tests/support/visitor.ts";

/** No account, an account that does not own the inbox, the owner. What the site may do is in rights.test.ts. */
export const roles = ["anon", "stranger", "owner at aal1", "owner at aal2"] as const;
export type Role = (typeof roles)[number];
export type Cells = Record<Role, unknown>;

/** The roles as API callers and as page visitors. */
export interface People {
  callers: Record<Role, Caller>;
  pages: { anon: Visitor; stranger: Visitor; owner: Awaited<ReturnType<typeof signedUp>> };
}

/** The states in which every outcome is checked, in this order. */
export const claimStates = [
  { when: "before the claim", claimed: false },
  { when: "after the claim", claimed: true },
];

let messages = 0;

/** Returns a distinct message. */
export function newRow() {
  messages += 1;
  return { name: `مرسل ${messages}`, email: "a@example.com", message: `نص الرسالة ${messages}` };
}

/** Stores a message. Returns it. */
export const stored = (api: Api) => api.store(newRow());

/** Signs up every role. */
export async function signUpRoles(site: RunningSite, api: Api): Promise<People> {
  const owner = await signedUp(site);
  const stranger = await signedUp(site);
  const pages = { anon: new Visitor(site), stranger, owner };
  const aal1 = api.as(owner.session().access_token);
  const callers = {
    anon: api.anon,
    stranger: api.as(stranger.session().access_token),
    "owner at aal1": aal1,
    "owner at aal2": aal1,
  };
  return { callers, pages };
}

/** Enrols a factor for the owner and claims the inbox. The owner then has a session per level. */
export async function claimAndEnrol(api: Api, { callers, pages }: People) {
  const { token: aal2 } = await api.enrol(callers["owner at aal1"].token ?? "");
  await api.claim(aal2);
  callers["owner at aal2"] = api.as(aal2);
  // As in another browser: signing in again in the same one would end its session.
  pages.owner.cookies.clear();
  const signedIn = await pages.owner.post("/auth", pages.owner.credentials);
  expect(signedIn.status).toBe(302);
  callers["owner at aal1"] = api.as(pages.owner.session().access_token);
}

/** Returns the outcome of a request for each role. */
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

/** Returns a row of expected outcomes, in the order of `roles`. */
export const each = (anon: unknown, stranger: unknown, aal1: unknown, aal2: unknown) =>
  ({ anon, stranger, "owner at aal1": aal1, "owner at aal2": aal2 }) as Cells;
