import type { ClientBase } from "pg";
import type { Loaded } from "./load.ts";

/** Returns what the owner has to know after rows were stored. */
export async function report(
  client: ClientBase,
  { gone, withoutFactor }: Loaded,
  isEmbedded: boolean,
): Promise<string[]> {
  const lines = [...gone].map((name) => `${name} was left out: this version has it no more.`);
  const { rows: lost } = await client.query<{ email: string }>(
    `select email from auth.users u
    where id = any ($1::uuid[]) and not exists (
      select from auth.mfa_factors where user_id = u.id and status = 'verified'
    ) order by email`,
    [[...withoutFactor]],
  );
  if (lost.length > 0) {
    lines.push(
      `Second factors and recovery codes stay behind, because other keys seal them. Until they add one again, these have none: ${lost.map(({ email }) => email).join(", ")}.`,
    );
  }
  const { rows } = await client.query<{ foreign: number }>(
    "select count(*)::int as foreign from auth.users where encrypted_password not like '$argon2%'",
  );
  const foreign = rows[0]?.foreign ?? 0;
  if (isEmbedded && foreign > 0) {
    lines.push(
      `${foreign} accounts have a password hash that only hosted Supabase reads: they set a new password by mail.`,
    );
  }
  return lines;
}
