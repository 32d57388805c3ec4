import { decodeJwt } from "jose";
import { withSuperuser } from "./superuser.ts";

/** Records for a token's session that the password was given again just now, as by a form. */
export async function prove({ dataDir }: { dataDir: string }, token: string): Promise<void> {
  const session = String(decodeJwt(token)["session_id"]);
  await withSuperuser(
    dataDir,
    (sql) => sql`
      update auth.mfa_amr_claims set created_at = updated_at - interval '1 second'
      where session_id = ${session}`,
  );
}
