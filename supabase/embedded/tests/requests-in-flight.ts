import { hash } from "@node-rs/argon2";
import type { SqlPool } from "#embedded/sql.ts";
import {
  codeOf,
  enrol,
  newEmail,
  password,
  prove,
  send,
  signIn,
  signUp,
} from "./support/accounts.ts";
import { mailNumber } from "./support/mails.ts";
import type { NotesSite } from "./support/notes-site.ts";

/** An account with two sessions: its holder's, and one of a thief who knows the password. */
export type Account = Awaited<ReturnType<typeof newAccount>>;

// Checked in a moment, so that hundreds of sign-ins can be tried.
const cheapHash = hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });

/** The thief's session has a proof, a pending address, and a factor with a challenge. */
export async function newAccount(site: NotesSite, sql: SqlPool) {
  const { email, session, user } = await signUp(site);
  await sql`update auth.users set encrypted_password = ${await cheapHash} where id = ${user.id}`;
  const thief = await signIn(site, email);
  await prove(site, thief.session.access_token);
  await thief.client.auth.updateUser({ email: newEmail() });
  const { id: factorId, totp } = await enrol(thief.client);
  const { data: challenge } = await thief.client.auth.mfa.challenge({ factorId });
  await thief.client.auth.resetPasswordForEmail(email);
  const { tokenHash } = await mailNumber(site, email, 1);
  return {
    id: user.id,
    email,
    tokenHash,
    holder: session.access_token,
    thief: thief.session,
    factor: { id: factorId, code: codeOf(site, totp.secret), challenge: challenge?.id },
  };
}

/** What puts the thief out. Returns the one session that stays, if any. */
export const ends: Record<
  string,
  (site: NotesSite, sql: SqlPool, account: Account) => Promise<string | undefined>
> = {
  "a new password": async (site, _, { holder: token }) => {
    const body = { password: "only the holder's", current_password: password };
    const { status } = await send(site, "PUT", "/user", { token, body });
    return status === 200 ? token : undefined;
  },
  "a hand-over": async (site, _, { tokenHash }) => {
    const body = { token_hash: tokenHash, type: "recovery" };
    const { json } = await send(site, "POST", "/verify", { body });
    return json?.["access_token"] as string | undefined;
  },
  "a ban": async (_, sql, { id }) => {
    await sql`update auth.users set banned_until = now() + interval '1 year' where id = ${id}`;
    return undefined;
  },
  "a deletion": async (_, sql, { id }) => {
    await sql`delete from auth.users where id = ${id}`;
    return undefined;
  },
};

export const signInAsThief = (site: NotesSite, { email, thief }: Account) =>
  send(site, "POST", "/token?grant_type=password", {
    body: { email, password },
    // The password is also a proof of this session.
    token: thief.access_token,
  });

export const refresh = (site: NotesSite, refresh_token: string) =>
  send(site, "POST", "/token?grant_type=refresh_token", { body: { refresh_token } });

const ended = ["session_not_found", "user_not_found", "user_banned"];

/** What the thief may have in flight, with the codes of the refusals. */
export const requests: {
  refusals: string[];
  send: (site: NotesSite, account: Account) => ReturnType<typeof send>;
}[] = [
  { refusals: ["invalid_credentials"], send: signInAsThief },
  { refusals: ["invalid_credentials"], send: signInAsThief },
  {
    refusals: ["refresh_token_not_found", "user_banned"],
    send: (site, { thief }) => refresh(site, thief.refresh_token),
  },
  {
    refusals: ended,
    send: (site, { thief }) =>
      send(site, "PUT", "/user", { token: thief.access_token, body: { email: newEmail() } }),
  },
  {
    refusals: ended,
    send: (site, { thief }) =>
      send(site, "PUT", "/user", {
        token: thief.access_token,
        body: { password: "the thief's", current_password: password },
      }),
  },
  {
    refusals: ended,
    send: (site, { thief }) =>
      send(site, "POST", "/factors", {
        token: thief.access_token,
        body: { factor_type: "totp", friendly_name: "late" },
      }),
  },
  {
    refusals: ended,
    send: (site, { thief, factor }) =>
      send(site, "POST", `/factors/${factor.id}/verify`, {
        token: thief.access_token,
        body: { challenge_id: factor.challenge, code: factor.code },
      }),
  },
  {
    refusals: ended,
    send: (site, { thief }) =>
      send(site, "POST", "/logout?scope=others", { token: thief.access_token }),
  },
];
