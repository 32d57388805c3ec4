import { z } from "zod";

// An export is JSON lines: a header, then a row a line, in an order in which they can be added.

export const tables = [
  "auth.users",
  "auth.identities",
  "auth.mfa_factors",
  "private.recovery_codes",
  "private.site_owner",
  "public.contact_messages",
] as const;
export type Table = (typeof tables)[number];

/** What holds sealed secrets: useful only beside the keys that sealed them. */
export const sealedTables: readonly Table[] = ["auth.mfa_factors", "private.recovery_codes"];

/** The columns that move where not all do; mailed codes and the like stay behind. */
export const movedColumns: Partial<Record<Table, string[]>> = {
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
  /** Which keys sealed the secrets; null for an outside Supabase. */
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
