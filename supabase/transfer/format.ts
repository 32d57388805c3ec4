import { z } from "zod";
import type { Sql } from "#embedded/sql.ts";

// An export is in JSON Lines: a header, then one row per line, referenced tables first.

export const tables = [
  "auth.users",
  "auth.identities",
  "auth.mfa_factors",
  "private.recovery_codes",
  "private.site_owner",
  "public.contact_messages",
] as const;
export type Table = (typeof tables)[number];

/** Tables with encrypted or keyed secrets: useless without the keys of their database. */
export const keyedTables: readonly Table[] = ["auth.mfa_factors", "private.recovery_codes"];

/** The exported columns, where not all are. Mailed codes and the like are left out. */
const exportedColumns: Partial<Record<Table, string[]>> = {
  "auth.users": [
    "id",
    "aud",
    "role",
    "email",
    "encrypted_password",
    "email_confirmed_at",
    "last_sign_in_at",
    "raw_app_meta_data",
    "raw_user_meta_data",
    "created_at",
    "updated_at",
    "banned_until",
  ],
  "auth.identities": [
    "id",
    "provider_id",
    "user_id",
    "identity_data",
    "provider",
    "last_sign_in_at",
    "created_at",
    "updated_at",
  ],
};

export const headerSchema = z.strictObject({
  format: z.literal(1),
  time: z.iso.datetime(),
  /** Identifies the keys of the secrets; null for a hosted Supabase. */
  keys: z.string().max(200).nullable(),
  /** Accounts with a second factor. */
  factors: z.int(),
});
export type Header = z.infer<typeof headerSchema>;

export const lineSchema = z.strictObject({
  table: z.enum(tables),
  row: z.record(z.string(), z.json()),
});
export type Line = z.infer<typeof lineSchema>;

/** Maps the exported columns of a table to their quoted names. Empty if there is no such table. */
export async function columnsOf(sql: Sql, table: Table): Promise<Map<string, string>> {
  const rows = await sql<{ name: string; quoted: string }>`
    select attname as name, quote_ident(attname) as quoted from pg_attribute
    where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped
      and attgenerated = '' order by attnum`;
  const exported = exportedColumns[table];
  return new Map(
    rows
      .filter(({ name }) => exported === undefined || exported.includes(name))
      .map(({ name, quoted }) => [name, quoted]),
  );
}
