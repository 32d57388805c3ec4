import { createClient } from "@supabase/supabase-js";
import { decodeJwt } from "jose";
import { TOTP } from "otpauth";
import type { Embedded } from "#embedded/index.ts";
import { withSuperuser } from "./superuser.ts";

/** A started site. */
export interface Host {
  url: string;
  publishableKey: string;
  dataDir: string;
  embedded: Pick<Embedded, "fetch">;
}

/** A site with a clock of its own, in milliseconds. */
interface Timed {
  now(): number;
}

/** Creates a client with a session of its own. */
export function newClient(site: Host) {
  const client = createClient(site.url, site.publishableKey, {
    global: { fetch: (input, init) => site.embedded.fetch(new Request(input, init)) },
    auth: { autoRefreshToken: false, persistSession: false, detectSessionInUrl: false },
  });
  sites.set(client.auth, site);
  return client;
}

const sites = new WeakMap<object, Host>();

/** Records in the client's session that the password was given again. Returns the client. */
export async function proved<T extends Pick<Client, "auth">>(client: T): Promise<T> {
  const site = sites.get(client.auth);
  const { data } = await client.auth.getSession();
  if (!site || !data.session) {
    throw new Error("The client has no session of a test's site");
  }
  await prove(site, data.session.access_token);
  return client;
}

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

export type Client = ReturnType<typeof newClient>;

export const password = "correct horse";

let accounts = 0;

/** Returns an unused e-mail address. */
export function newEmail(): string {
  accounts += 1;
  return `person${accounts}@example.com`;
}

/** Signs up an account with a session. Confirmation must be off. */
export async function signUp(site: Host, email = newEmail()) {
  const client = newClient(site);
  const { data, error } = await client.auth.signUp({ email, password });
  if (error) {
    throw error;
  }
  return { client, email, ...present(data) };
}

/** Opens another session of an account. */
export async function signIn(site: Host, email: string, secret = password) {
  const client = newClient(site);
  const { data, error } = await client.auth.signInWithPassword({ email, password: secret });
  if (error) {
    throw error;
  }
  return { client, ...data };
}

/** Returns a client's `data`. Throws if it has no session. */
export function present<T extends { session: unknown; user: unknown }>(data: T) {
  if (!data.session || !data.user) {
    throw new Error("The response has no session");
  }
  return data as T & { session: NonNullable<T["session"]>; user: NonNullable<T["user"]> };
}

/** Sends a request as the client does. Returns status, headers and JSON if any. */
export async function send(
  site: Host,
  method: string,
  path: string,
  options: { body?: unknown; token?: string; agent?: string } = {},
) {
  const { body, token, agent } = options;
  const request = new Request(`${site.url}/auth/v1${path}`, {
    method,
    headers: {
      apikey: site.publishableKey,
      "content-type": "application/json",
      ...(token && { authorization: `Bearer ${token}` }),
      ...(agent && { "user-agent": agent }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const response = await site.embedded.fetch(request);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    json: text ? (JSON.parse(text) as Record<string, unknown>) : undefined,
  };
}

/** Enrols and verifies a factor. The client's session is then at aal2. */
export async function enrolVerified(site: Timed, client: Client, friendlyName = "phone") {
  const { auth } = await proved(client);
  const { data: factor, error } = await auth.mfa.enroll({
    factorType: "totp",
    friendlyName,
  });
  if (error) {
    throw error;
  }
  const code = codeOf(site, factor.totp.secret);
  const verified = await client.auth.mfa.challengeAndVerify({ factorId: factor.id, code });
  if (verified.error) {
    throw verified.error;
  }
  return { factorId: factor.id, secret: factor.totp.secret, verified: verified.data };
}

/** Enrols a factor without verifying it. */
export async function enrol(client: Client, friendlyName?: string) {
  const { auth } = await proved(client);
  const { data, error } = await auth.mfa.enroll({
    factorType: "totp",
    ...(friendlyName === undefined ? {} : { friendlyName }),
  });
  if (error) {
    throw error;
  }
  return data;
}

/** Creates a challenge of a factor. */
export async function challenge(client: Client, factorId: string) {
  const { data, error } = await client.auth.mfa.challenge({ factorId });
  if (error) {
    throw error;
  }
  return data;
}

/** Returns the current TOTP code. */
export function codeOf(site: Timed, secret: string): string {
  return new TOTP({ secret }).generate({ timestamp: site.now() });
}

/** Whether the client's session has ended. */
export const isSignedOut = async (client: Client) => (await client.auth.getUser()).error !== null;
