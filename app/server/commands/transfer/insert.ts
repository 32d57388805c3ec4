import { escapeIdentifier } from "pg";
import type { Table } from "./tables.ts";

/** The SQL of values that replace those of the file. */
const replaced: Record<string, Record<string, string>> = {
  // GoTrue signs tokens for the role of the account, finds only accounts of this instance, and fails on null
  // in the columns of codes (supabase/auth, internal/models/user.go).
  "auth.users": {
    aud: "'authenticated'",
    role: "'authenticated'",
    instance_id: "'00000000-0000-0000-0000-000000000000'",
    confirmation_token: "''",
    recovery_token: "''",
    email_change_token_new: "''",
    email_change: "''",
  },
  // An inbox whose owner is no account of the file is closed, as after the owner deleted the account.
  "private.site_owner": { user_id: "(select id from auth.users where id = row.user_id)" },
};

/**
 * Returns the statement that stores rows, which are its parameter. The names are those of the catalog and of
 * this file. Rows that the migrations made, such as limits, are replaced.
 */
export function insertInto({ name, key }: Table, columns: string[]): string {
  const fixed = replaced[name] ?? {};
  const given = columns.filter((column) => !Object.hasOwn(fixed, column)).map(escapeIdentifier);
  const changes = columns
    .filter((column) => !key.includes(column))
    .map((column) => `${escapeIdentifier(column)} = excluded.${escapeIdentifier(column)}`);
  const onConflict =
    !name.startsWith("auth.") && key.length > 0 && changes.length > 0
      ? `(${key.map(escapeIdentifier).join()}) do update set ${changes.join()}`
      : "do nothing";
  // A row without its account is left out.
  const ofAccounts = given.includes('"user_id"')
    ? "user_id::text in (select id::text from auth.users)"
    : "true";
  return `insert into ${name} (${[...given, ...Object.keys(fixed)].join()})
    select ${[...given, ...Object.values(fixed)].join()}
    from json_populate_recordset(null::${name}, $1::text::json) row
    where ${ofAccounts}
    on conflict ${onConflict}`;
}
