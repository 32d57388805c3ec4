import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { BoardMessage } from "#app/models/inbox.ts";
import { Feed } from "#app/server/live/feed.ts";
import { type Listed, openListed } from "#tests/support/list-client.ts";

let supabase: Listed;
beforeAll(async () => {
  supabase = await openListed();
});
afterAll(() => supabase.close());

/** Opens the site's own feed with an account's token. */
async function listen(token: string) {
  const events: (BoardMessage | undefined)[] = [];
  const session = { id: String(decodeJwt(token)["session_id"]), token, expiresAt: Infinity };
  const ended = Promise.withResolvers<void>();
  const place = { url: supabase.url, publishableKey: supabase.key };
  const feed = new Feed(place, session, {
    onChange: (message) => void events.push(message),
    onEnd: ended.resolve,
  });
  return { feed, events, isReady: await feed.ready, ended: ended.promise };
}

test("the site's feed hears an insert with its row", async () => {
  const { token } = await supabase.account();
  const { feed, events, isReady, ended } = await listen(token);
  expect(isReady).toBe(true);
  const row = { name: "زائر", email: "visitor@example.com", message: `رسالة ${Date.now()}` };
  const { error } = await supabase.client().from("contact_messages").insert(row);
  expect(error).toBe(null);
  await expect.poll(() => events, { timeout: 10_000 }).toEqual([expect.objectContaining(row)]);
  feed.end();
  await ended;
});

test("the site's feed is refused with a forged token", async () => {
  const { token } = await supabase.account();
  const { isReady, ended } = await listen(token.replace(/.{8}$/, "AAAAAAAA"));
  expect(isReady).toBe(false);
  await ended;
});
