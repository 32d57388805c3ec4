import { createHash, randomBytes } from "node:crypto";
import type { TransactionSql } from "postgres";
import type { AuthContext } from "./context.ts";
import { AuthError, validationFailed } from "./errors.ts";
import { sha256 } from "./secrets.ts";
import type { AuthMethod } from "./sessions.ts";

export interface Challenge {
  challenge: string;
  method: "s256" | "plain";
}

const codeSeconds = 300;
const retentionSeconds = 86_400;

/** Reads a request's PKCE challenge, if any (RFC 7636, 4.2). Throws 400 validation_failed. */
export function readChallenge(body: {
  code_challenge?: string | null | undefined;
  code_challenge_method?: string | null | undefined;
}): Challenge | undefined {
  const challenge = body.code_challenge ?? "";
  const method = (body.code_challenge_method ?? "").toLowerCase();
  if (challenge === "" && method === "") {
    return undefined;
  }
  if (challenge === "" || method === "") {
    throw validationFailed("PKCE flow requires code_challenge_method and code_challenge");
  }
  if (!/^[a-zA-Z0-9._~-]{43,128}$/.test(challenge)) {
    throw validationFailed(
      "code challenge has to be between 43 and 128 characters: alphanumeric characters, hyphens, periods, underscores and tildes",
    );
  }
  if (method !== "s256" && method !== "plain") {
    throw validationFailed(`unsupported code_challenge method "${method}"`);
  }
  return { challenge, method };
}

/** Stores the PKCE challenge of the client that requested a mail. */
export async function startFlow(
  tx: TransactionSql,
  { now }: AuthContext,
  userId: string,
  authMethod: AuthMethod,
  { challenge, method }: Challenge,
): Promise<void> {
  const at = new Date(now());
  await tx`
    delete from auth.flow_state
    where user_id = ${userId} and created_at < ${new Date(now() - retentionSeconds * 1000)}`;
  await tx`
    insert into auth.flow_state (id, user_id, code_challenge, code_challenge_method, provider_type,
      authentication_method, created_at, updated_at)
    values (${crypto.randomUUID()}, ${userId}, ${challenge}, ${method}, 'email', ${authMethod},
      ${at}, ${at})`;
}

/** Returns an auth code for the client that last requested such a mail, if any. */
export async function issueAuthCode(
  tx: TransactionSql,
  { now }: AuthContext,
  userId: string,
  authMethod: AuthMethod,
): Promise<string | undefined> {
  const code = randomBytes(32).toString("base64url");
  const at = new Date(now());
  const updated = await tx`
    update auth.flow_state
    set auth_code = ${sha256(code)}, auth_code_issued_at = ${at}, updated_at = ${at}
    where id = (
      select id from auth.flow_state
      where user_id = ${userId} and authentication_method = ${authMethod}
      order by created_at desc limit 1)`;
  return updated.count === 1 ? code : undefined;
}

/** Checks an auth code and deletes its flow. Throws AuthError 404, 422 or 400. */
export async function finishFlow(
  tx: TransactionSql,
  { now }: AuthContext,
  authCode: string,
  verifier: string,
): Promise<{ userId: string; authMethod: AuthMethod }> {
  const [flow] = await tx<
    (Challenge & { id: string; user_id: string; auth_method: AuthMethod; issued_at: Date })[]
  >`
    select id, user_id, code_challenge as challenge, code_challenge_method as method,
      authentication_method as auth_method, auth_code_issued_at as issued_at
    from auth.flow_state where auth_code = ${sha256(authCode)} for update`;
  if (!flow) {
    throw new AuthError(
      404,
      "flow_state_not_found",
      "invalid flow state, no valid flow state found",
    );
  }
  if (flow.issued_at.getTime() + codeSeconds * 1000 < now()) {
    throw new AuthError(422, "flow_state_expired", "invalid flow state, flow state has expired");
  }
  if (flow.challenge !== challengeOf(verifier, flow.method)) {
    throw new AuthError(
      400,
      "bad_code_verifier",
      "code challenge does not match previously saved code verifier",
    );
  }
  await tx`delete from auth.flow_state where id = ${flow.id}`;
  return { userId: flow.user_id, authMethod: flow.auth_method };
}

function challengeOf(verifier: string, method: Challenge["method"]): string {
  return method === "plain" ? verifier : createHash("sha256").update(verifier).digest("base64url");
}
