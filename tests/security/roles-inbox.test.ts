import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { cookieWith, type LiveTab, namesOf, openTab } from "#tests/support/live.ts";
import { claimStates, startRoles, stored } from "#tests/support/roles.ts";
import type { Visitor } from "#tests/support/visitor.ts";

const accounts = ["stranger", "owner at aal1", "owner at aal2"] as const;

const { site, api, people, claim } = await startRoles();
afterAll(() => site.stop());

describe.each(claimStates)("$when", ({ claimed }) => {
  beforeAll(() => (claimed ? claim() : undefined), 60_000);

  test("the live inbox", async () => {
    const tabs = new Map(accounts.map((role) => [role, open(people.callers[role].token ?? "")]));
    const statuses = await Promise.all([...tabs.values()].map(({ status }) => status));
    expect(statuses).toEqual(claimed ? [403, 403, 101] : [101, 101, 101]);
    const heard = (name: string) =>
      accounts.filter((role) => namesOf(tabs.get(role) as LiveTab).includes(name));
    const readers = claimed ? ["owner at aal2"] : accounts;
    const { id, name } = await stored(api);
    await expect.poll(() => heard(name), { timeout: 20_000 }).toEqual(readers);
    await api.run(api.service, (sql) => sql`delete from public.contact_messages where id = ${id}`);
    // When the second message has arrived, everything before it has arrived everywhere.
    const next = await stored(api);
    await expect.poll(() => heard(next.name), { timeout: 20_000 }).toEqual(readers);
    expect(heard(name)).toEqual(readers);
    for (const { socket, frames } of tabs.values()) {
      // Of the deletion a tab hears no more than that its list is old.
      expect(frames.length).toBeLessThanOrEqual(3);
      socket.terminate();
    }
  });

  test("the pages", async () => {
    const { name } = await stored(api);
    const { id } = await stored(api);
    const shown = async (visitor: Visitor) => {
      const board = await visitor.get("/admin");
      const data = await visitor.get("/admin.data");
      const sort = await visitor.post("/admin", { one: `spam:${id}` });
      const isMoved = (await visitor.get("/admin?box=spam")).text.includes(id);
      return [
        board.status,
        board.text.includes(name),
        data.text.includes(name),
        sort.status,
        isMoved,
      ];
    };
    expect({
      anon: await shown(people.pages.anon),
      stranger: await shown(people.pages.stranger),
      "owner at aal1": await shown(people.pages.owner),
    }).toEqual({
      anon: [302, false, false, 302, false],
      stranger: [200, !claimed, !claimed, 403, false],
      // The code is required first.
      "owner at aal1": claimed ? [302, false, false, 302, false] : [200, true, true, 403, false],
    });
  });
});

/** Opens the live inbox with a token. */
const open = (token: string) =>
  openTab(site, { address: newAddress(), cookie: cookieWith(people.pages.owner, token) });
