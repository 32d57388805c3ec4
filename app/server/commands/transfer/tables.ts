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
}

/**
 * The accounts in GoTrue's tables, referenced ones first, and the columns that make them. Mailed codes
 * and the like are left out.
 */
export const accountColumns: Record<string, string> = {
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

/** Sessions and what belongs to them. Only a backup, which has its keys, continues them. */
export const sessionTables = new Set([
  "auth.sessions",
  "auth.refresh_tokens",
  "auth.mfa_amr_claims",
]);

/** Useless where other keys seal secrets. */
export const sealedTables = new Set([...sessionTables, "auth.mfa_factors"]);

/**
 * The site's own tables whose rows are copied, referenced ones first. A table that a later version drops
 * stays on the list, because the backup before that update has its rows.
 */
export const siteTables = [
  "public.contact_messages",
  "private.absences",
  "private.counting",
  "private.counts",
  "private.inbox_visits",
  "private.limits",
  "private.notification_channels",
  "private.notifications",
  "private.reserved_owner",
  "private.retention",
  "private.site_owner",
];

/** Rows of 1.0.0 that mean another thing here, or nothing: values of a column. */
export const goneRows: Record<string, { column: string; values: string[] }> = {
  "private.notification_channels": { column: "channel", values: ["push"] },
  "private.notifications": { column: "channel", values: ["push"] },
  // The numbers of 1.0.0 counted other things.
  "private.limits": {
    column: "name",
    values: [
      "sign-in",
      "sign-up",
      "mail",
      "code",
      "mailed-code",
      "claim",
      "mailbox-hour",
      "mailbox-day",
      "mails",
      "account-mails",
    ],
  },
};

/**
 * Returns the tables to copy, referenced ones first.
 * @throws {StartError} if the database does not have the tables of this site
 */
export async function copiedTables(client: ClientBase): Promise<Map<string, Table>> {
  const { rows } = await client.query<Table>(
    `select format('%I.%I', nspname, relname) as name,
      (select json_agg(attname order by attnum)
        from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
      coalesce((select json_agg(attname)
        from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey)
        where indrelid = c.oid and indisprimary), '[]') as key
    from pg_class c join pg_namespace n on n.oid = relnamespace
    where relkind in ('r', 'p') and nspname || '.' || relname = any ($1)
    order by array_position($1, nspname || '.' || relname)`,
    [[...Object.keys(accountColumns), ...siteTables]],
  );
  if (!rows.some(({ name }) => name === "public.contact_messages")) {
    throw new StartError(
      "The database does not have the tables of this version of the site: run its migrations first.",
    );
  }
  const tables = rows.map((table): [string, Table] => {
    const wanted = accountColumns[table.name]?.split(/\s+/) ?? table.columns;
    const columns = table.columns.filter((column) => wanted.includes(column));
    return [table.name, { ...table, columns }];
  });
  return new Map(tables);
}
