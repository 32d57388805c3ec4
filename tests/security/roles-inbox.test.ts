import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import type { Caller } from "#tests/support/api.ts";
import {
  type Role,
  roles,
  type RolesSite,
  claimStates,
  startRoles,
  stored,
} from "#tests/support/roles.ts";
import type { Visitor } from "#tests/support/visitor.ts";

let { site, api, people, claim } = {} as RolesSite;
beforeAll(async () => {
  ({ site, api, people, claim } = await startRoles());
}, 60_000);
afterAll(() => site?.stop());

describe.each(claimStates)("$when", ({ claimed }) => {
  beforeAll(() => (claimed ? claim() : undefined), 60_000);

  // In each order of joining: one channel's rights must not be applied to the next one.
  test.each(roles.map((_role, first) => [...roles.slice(first), ...roles.slice(0, first)]))(
    "the live channel, joined by %s before the others",
    async (...order) => {
      const listeners = new Map<Role, Awaited<ReturnType<typeof listen>>>();
      for (const role of order) {
        listeners.set(role, await listen(people.callers[role]));
      }
      const heard = (name: string) =>
        roles.filter((role) => listeners.get(role)?.texts.join().includes(name));
      const readers = claimed ? ["owner at aal2", "service"] : roles.slice(1);
      const { name } = await stored(api);
      await expect.poll(() => heard(name), { timeout: 20_000 }).toEqual(readers);
      // When the second message has arrived, the first one has arrived everywhere.
      const next = await stored(api);
      await expect.poll(() => heard(next.name), { timeout: 20_000 }).toEqual(readers);
      expect(heard(name)).toEqual(readers);
      for (const { stop } of listeners.values()) {
        await stop();
      }
    },
  );

  test("the live channel, when a message is deleted", async () => {
    const { id, name } = await stored(api);
    const listeners = [];
    for (const role of roles) {
      listeners.push(await listen(people.callers[role]));
    }
    await api.send(api.service, "DELETE", `/rest/v1/contact_messages?id=eq.${id}`);
    const next = await stored(api);
    const reader = listeners[roles.indexOf("service")];
    await expect.poll(() => reader?.texts.join(), { timeout: 20_000 }).toContain(next.name);
    for (const { texts, stop } of listeners) {
      expect(texts.join()).not.toContain(id);
      expect(texts.join()).not.toContain(name);
      await stop();
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

async function listen({ apikey, token }: Caller) {
  const client = createClient(site.url, apikey, {
    ...(token && { accessToken: async () => token }),
    realtime: { headers: { "X-Forwarded-For": newAddress() } },
  });
  await client.realtime.setAuth();
  const texts: string[] = [];
  const filter = { event: "*", schema: "public", table: "contact_messages" } as const;
  await new Promise<void>((resolve, reject) => {
    client
      .channel("contact_messages_changes")
      .on("postgres_changes", filter, (payload) => void texts.push(JSON.stringify(payload)))
      .on("system", {}, ({ extension, status, message }: Record<string, string>) => {
        if (extension === "postgres_changes" && status === "ok") {
          resolve();
        } else {
          reject(new Error(message));
        }
      })
      .subscribe((status, error) => {
        if (status === "CHANNEL_ERROR" || status === "TIMED_OUT") {
          reject(error ?? status);
        }
      });
  });
  return {
    texts,
    async stop() {
      await client.removeAllChannels();
      await client.realtime.disconnect();
    },
  };
}
