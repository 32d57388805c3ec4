import { withSuperuser } from "./superuser.ts";

/** Gives an account metadata of its own, as one that was imported from hosted Supabase can have. */
export async function storeMetadata(dataDir: string, email: string, data: object): Promise<void> {
  await withSuperuser(
    dataDir,
    (sql) => sql`
      update auth.users set raw_user_meta_data = raw_user_meta_data || ${data}
      where email = ${email}`,
  );
}
