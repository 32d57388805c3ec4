import { randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { type Part, part } from "#embedded/sql-text.ts";
import type { Sql } from "#embedded/sql.ts";
import { mailedCodeDigits, mailedTokenSeconds } from "./constants.ts";
import type { AuthContext } from "./context.ts";
import { sha256 } from "./secrets.ts";

// GoTrue's link token is a hash of address and code, so it is as easy to guess as the code. Here it
// is 32 random bytes, and only the code needs a limit on wrong tries.

/** After so many wrong tries in an hour the mailed codes of a type are void. Their links still work. */
const maxWrongCodes = 10;

export type TokenType =
  | "confirmation_token"
  | "recovery_token"
  | "email_change_token_new"
  | "email_change_token_current";

export interface OneTimeToken {
  id: string;
  user_id: string;
  token_type: TokenType;
}

type Row = OneTimeToken & { code_hash: string };

/**
 * Creates a link token and a code. They replace the user's earlier ones of the type, but the count of wrong
 * codes begins again only an hour after the first mail (`created_at`).
 */
export async function createOneTimeToken(
  tx: Sql,
  context: AuthContext,
  params: { userId: string; type: TokenType; email: string },
): Promise<{ linkToken: string; code: string }> {
  const { userId, type, email } = params;
  const linkToken = randomBytes(32).toString("hex");
  const code = Array.from({ length: mailedCodeDigits }, () => randomInt(10)).join("");
  const now = new Date(context.now());
  const isCounting = part`known.created_at > ${hourAgo(context)}`;
  await tx`
    insert into auth.one_time_tokens as known
      (user_id, token_type, token_hash, code_hash, relates_to, created_at, updated_at)
    values (${userId}, ${type}, ${sha256(linkToken)}, ${codeHash(context, userId, type, code)},
      ${email}, ${now}, ${now})
    on conflict (user_id, token_type) do update set token_hash = excluded.token_hash,
      code_hash = excluded.code_hash, relates_to = excluded.relates_to, updated_at = excluded.updated_at,
      created_at = case when ${isCounting} then known.created_at else excluded.created_at end,
      wrong_codes = case when ${isCounting} then known.wrong_codes else 0 end`;
  return { linkToken, code };
}

/** Returns the token of a valid link. Locks the token's row and the user's. */
export async function findByLink(
  tx: Sql,
  context: AuthContext,
  linkToken: string,
  types: TokenType[],
): Promise<OneTimeToken | undefined> {
  const hasToken = part`token_hash = ${sha256(linkToken)} and token_type = any(${types})`;
  await lockUsers(tx, hasToken);
  const [row] = await tx<OneTimeToken>`
    select id, user_id, token_type from auth.one_time_tokens t
    where ${hasToken} and ${isForCurrentAddress} and updated_at > ${hourAgo(context)}
    for update`;
  return row;
}

/** Like findByLink, for a code. A wrong code counts for each token of the address and types. */
export async function findByCode(
  tx: Sql,
  context: AuthContext,
  params: { email: string; code: string; types: TokenType[] },
): Promise<OneTimeToken | undefined> {
  const isCandidate = part`relates_to = ${params.email} and token_type = any(${params.types})`;
  await lockUsers(tx, isCandidate);
  const rows = await tx<Row>`
    select id, user_id, token_type, code_hash from auth.one_time_tokens t
    where ${isCandidate} and ${isForCurrentAddress}
      and updated_at > ${hourAgo(context)} and wrong_codes < ${maxWrongCodes}
    order by id for update`;
  const match = rows.find((row) =>
    isEqual(row.code_hash, codeHash(context, row.user_id, row.token_type, params.code)),
  );
  if (match) {
    return match;
  }
  // A synchronous commit takes longer, and its time would reveal that a code is pending.
  await tx`select set_config('synchronous_commit', 'off', true)`;
  await tx`
    update auth.one_time_tokens set wrong_codes = wrong_codes + 1
    where id = any(${rows.map(({ id }) => id)})`;
  return undefined;
}

// All transactions lock users before tokens, to avoid deadlocks.
async function lockUsers(tx: Sql, ofTokens: Part) {
  await tx`
    select from auth.users
    where id in (select user_id from auth.one_time_tokens where ${ofTokens})
    order by id for no key update`;
}

const isForCurrentAddress = part`relates_to = (
  select case t.token_type when 'email_change_token_new' then u.email_change else u.email end
  from auth.users u where u.id = t.user_id)`;

/** Voids all links and codes mailed to the user. */
export async function deleteOneTimeTokens(tx: Sql, userId: string): Promise<void> {
  await tx`delete from auth.one_time_tokens where user_id = ${userId}`;
}

/** Voids the links and codes of some types. Unlike a deletion, this keeps the count of wrong codes. */
export async function voidOneTimeTokens(
  tx: Sql,
  context: AuthContext,
  userId: string,
  types: TokenType[],
): Promise<void> {
  await tx`
    update auth.one_time_tokens set updated_at = ${hourAgo(context)}
    where user_id = ${userId} and token_type = any(${types})`;
}

function codeHash({ secrets }: AuthContext, userId: string, type: TokenType, code: string) {
  return secrets.mac("mail-code", userId, type, code);
}

function isEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

function hourAgo({ now }: AuthContext): Date {
  return new Date(now() - mailedTokenSeconds * 1000);
}
