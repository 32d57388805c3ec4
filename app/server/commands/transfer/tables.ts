import type { ClientBase } from "pg";
import { StartError } from "#app/lib/start-error.ts";

/** A table whose rows are copied, by the catalog. */
export interface Table {
  /** With its schema, as in SQL. */
  name: string;
  /** The copied ones. Generated ones are not copied. */
  columns: string[];
  /** The primary key's columns. */
  key: string[];
  /** Conditions that the rows to which a row `given` refers are there, each by one column. */
  references: string[];
}

/** Columns of GoTrue's tables: what an account is. Mailed codes and the like are left out. */
const accountColumns: Record<string, string> = {
  "auth.users": `id aud role email encrypted_password email_confirmed_at last_sign_in_at
    raw_app_meta_data raw_user_meta_data created_at updated_at banned_until deleted_at`,
  "auth.identities": `id provider_id user_id identity_data provider last_sign_in_at created_at
    updated_at`,
  "auth.mfa_factors": `id user_id friendly_name factor_type status created_at updated_at secret
    last_accepted_step`,
  "auth.sessions": `id user_id created_at updated_at factor_id aal not_after refreshed_at
    user_agent`,
  "auth.refresh_tokens": "token user_id revoked created_at updated_at parent session_id",
  "auth.mfa_amr_claims": "id session_id created_at updated_at authentication_method",
};

/** Only a backup, which has its keys, continues sessions. */
export const sessionTables = new Set([
  "auth.sessions",
  "auth.refresh_tokens",
  "auth.mfa_amr_claims",
]);

/** A database in use gets none of these: it opens no session, and notifies of no message. */
export const restoredTables = new Set([...sessionTables, "private.notifications"]);

/** Useless where other keys seal secrets. */
export const keyedTables = new Set([
  ...sessionTables,
  "auth.mfa_factors",
  "private.recovery_codes",
  "private.push_subscriptions",
]);

/**
 * Returns the tables to copy, referenced ones first: those whose comment in the database is 'Copied',
 * and the accounts. @throws {StartError} if the database has not the tables of this site
 */
export async function copiedTables(client: ClientBase): Promise<Map<string, Table>> {
  const { rows } = await client.query<Table & { parents: string[] }>(
    `select format('%I.%I', n.nspname, c.relname) as name,
      (select json_agg(attname order by attnum)
        from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
      coalesce((select json_agg(attname)
        from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey)
        where indrelid = c.oid and indisprimary), '[]') as key,
      coalesce((select json_agg(format(
          '(given.%1$I is null or exists (select from %2$s known where known.%3$I = given.%1$I))',
          own.attname, confrelid::regclass, other.attname))
        from pg_constraint
        join pg_attribute own on own.attrelid = conrelid and own.attnum = conkey[1]
        join pg_attribute other on other.attrelid = confrelid and other.attnum = confkey[1]
        where conrelid = c.oid and contype = 'f'), '[]') as references,
      coalesce((select json_agg(pn.nspname || '.' || pc.relname)
        from pg_constraint
        join pg_class pc on pc.oid = confrelid join pg_namespace pn on pn.oid = pc.relnamespace
        where conrelid = c.oid and contype = 'f' and confrelid <> conrelid), '[]') as parents
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where relkind in ('r', 'p') and (
      n.nspname in ('private', 'public') and obj_description(c.oid, 'pg_class') = 'Copied'
      or n.nspname || '.' || c.relname = any ($1)
    )
    order by 1`,
    [Object.keys(accountColumns)],
  );
  if (!rows.some(({ name }) => name === "public.contact_messages")) {
    throw new StartError(
      "The database has not the tables of this version of the site: run its migrations first.",
    );
  }
  const tables = new Map<string, Table>();
  const seen = new Set<string>();
  const place = ({ parents, ...table }: (typeof rows)[number]) => {
    if (seen.has(table.name)) {
      return;
    }
    seen.add(table.name);
    rows.filter(({ name }) => parents.includes(name)).forEach(place);
    const wanted = accountColumns[table.name]?.split(/\s+/) ?? table.columns;
    const columns = table.columns.filter((column) => wanted.includes(column));
    tables.set(table.name, { ...table, columns });
  };
  rows.forEach(place);
  return tables;
}
