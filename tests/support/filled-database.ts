import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { TOTP } from "otpauth";
import { expect } from "vitest";
import { accountColumns, siteTables } from "#app/server/commands/transfer/tables.ts";
import { newClient, password, proved } from "./auth-server.ts";
import type { TestServer } from "./embedded-server.ts";
import { leaveMessage } from "./messages.ts";
import { withSuperuser } from "./superuser.ts";

export const ownerEmail = "owner@example.com";

/** A bcrypt hash, as of a hosted Supabase. */
const foreignHash = "$2a$10$7EqJtq98hPqEX7fNZaFWoOhi5Bv3bF0vbWGZJq0wGmC5zq2vXf5rG";

/** What makes escaping hard. */
const texts = [
  "سطر\nوآخر\tبعلامات ' \" \\ \\n \\u0041",
  '{"table":"x","row":{}},"sum":"00000000"}',
  "رموز 👩‍👩‍👧 و𝒳 و<!-- </script>",
  "$1 :name %s ;-- drop \u2028 و\u2029",
];

/**
 * Fills a database with a row at least of each kind that a backup keeps: an owner with a factor,
 * and a session, a second account with a bcrypt hash, messages in all boxes
 * with notes, a waiting notification, visits, counts, an absence, settings. Returns the owner's client.
 */
export async function fill(server: TestServer) {
  const client = newClient(server);
  const { data } = await client.auth.signUp({ email: ownerEmail, password });
  await newClient(server).auth.signUp({ email: "second@example.com", password });
  await proved(client);
  const { data: enrolled } = await client.auth.mfa.enroll({ factorType: "totp" });
  const secret = enrolled?.totp.secret ?? "";
  const challenge = { factorId: enrolled?.id ?? "", code: new TOTP({ secret }).generate() };
  expect((await client.auth.mfa.challengeAndVerify(challenge)).error).toBeNull();
  await withSuperuser(server.dataDir, async (sql) => {
    await sql`insert into private.site_owner (user_id) values (${data.user?.id ?? ""})`;
    await sql`update auth.users set encrypted_password = ${foreignHash} where email like 'second%'`;
    for (const [index, text] of texts.entries()) {
      await sql`
        insert into public.contact_messages (name, email, message, phone, created_at)
        values (${`مرسل ${index}`}, ${`${index}@example.com`}, ${text}, '966501234567',
          now() - interval '3 days' + interval '0.123456 s' * ${index})`;
    }
    await sql`
      insert into public.contact_messages (name, email, message, spam_signs)
      values ('n', 'spam@example.com', 'Buy', array['trap'])`;
    await sql`insert into private.counts values ('2026-11-01', 'views', 9007199254740993)`;
    await sql`insert into private.absences values ('2026-11-01', '2026-11-05')`;
    await sql`update private.counting set is_on = false`;
    await sql`update private.retention set months = 7`;
    await sql`update private.limits set points = 4321 where name = 'message'`;
  });
  await leaveMessage(server, {
    name: "أحمد",
    email: "a@example.com",
    message: "رسالة تنتظر إشعارها",
  });
  const { data: inbox } = await client.rpc("read_inbox");
  const ids: string[] = inbox.page.map(({ id }: { id: string }) => id);
  const [first = "", second = ""] = ids;
  const ask = async (name: string, args: object) =>
    expect((await client.rpc(name, args)).error).toBeNull();
  await ask("sort_messages", { action: "archive", ids: [first] });
  await ask("sort_messages", { action: "trash", ids: [second] });
  await ask("save_note", { message: ids[2], note: "ملاحظة\nفي سطرين" });
  await ask("record_visit", { until: new Date().toISOString() });
  return client;
}

/** Deletes the account that owns the inbox. Returns its id. */
export const deleteOwner = (dataDir: string): Promise<string> =>
  withSuperuser(dataDir, async (sql) => {
    const [row] = await sql<{ id: string }>`
      delete from auth.users where email = ${ownerEmail} returning id`;
    return row?.id ?? "";
  });

/** Returns the rows of each table that a backup keeps, in one order, and the keys. */
export const keptRows = (dataDir: string) =>
  withSuperuser(dataDir, async (sql) => {
    const rows: Record<string, string[]> = {};
    // A table that was dropped keeps its line in siteTables.
    const present = await sql<{ name: string }>`
      select name from unnest(${[...Object.keys(accountColumns), ...siteTables]}::text[]) name
      where to_regclass(name) is not null`;
    for (const { name } of present) {
      // What only GoTrue needs, and numbers that nobody reads.
      const unlike = { "auth.users": "instance_id", "auth.refresh_tokens": "id" }[name] ?? "";
      const found = await sql.unsafe<{ row: string }>(
        `select (to_jsonb(t) - $1)::text as row from ${name} t order by 1`,
        [unlike],
      );
      rows[name] = found.map(({ row }) => row);
    }
    rows["keys"] = [await readFile(join(dataDir, "keys.json"), "utf8")];
    rows["counted"] = (
      await sql<{ row: string }>`
        select state || ' ' || count(*) as row from public.contact_messages
        group by state order by 1`
    ).map(({ row }) => row);
    return rows;
  });
