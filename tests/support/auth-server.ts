import { createClient } from "@supabase/supabase-js";
import type { AuthSettings } from "embedded-supabase/testing";
import { TOTP } from "otpauth";
import { expect, vi } from "vitest";
import { accountChanges } from "#app/server/mail/change-texts.ts";
import { noLimits, startTestServer, type TestOptions, type TestServer } from "./embedded-server.ts";
import { mailsTo, type ReceivedMail } from "./mails.ts";
import { prove } from "./prove.ts";

export type AuthServer = Awaited<ReturnType<typeof startAuthServer>>;

/** Starts the backend with a movable clock, without limits of mails and codes unless `more` has some. */
export async function startAuthServer(auth: Partial<AuthSettings> = {}, more: TestOptions = {}) {
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const server = await startTestServer({ limits: noLimits, ...more, auth, now });
  /** Moves the server's clock forward. */
  const pass = (seconds: number) => void (ahead += seconds * 1000);
  return { ...server, now, pass };
}

/** Creates a client like a browser tab without storage, of a visitor at an address. */
export function newClient(server: TestServer, address = "127.0.0.1") {
  const client = createClient(server.url, server.publishableKey, {
    global: { fetch: (input, init) => fetchFrom(server, address, new Request(input, init)) },
    auth: {
      autoRefreshToken: false,
      persistSession: true,
      storage: memoryStorage(),
      detectSessionInUrl: false,
    },
  });
  servers.set(client.auth, server);
  return client;
}

const servers = new WeakMap<object, TestServer>();

/** Records in the client's session that the password was given again. Returns the client. */
export async function proved<T extends Pick<Client, "auth">>(client: T): Promise<T> {
  const server = servers.get(client.auth);
  const { data } = await client.auth.getSession();
  if (!server || !data.session) {
    throw new Error("The client has no session of a test's server");
  }
  await prove(server, data.session.access_token);
  return client;
}

export type Client = ReturnType<typeof newClient>;

/** Answers a request in process, as from a visitor's address. */
function fetchFrom({ embedded }: TestServer, address: string, request: Request) {
  return embedded.fetch(request, { address });
}

function memoryStorage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

export const password = "correct horse";

let accounts = 0;

/** Returns an unused e-mail address. */
export function newEmail(): string {
  accounts += 1;
  return `person${accounts}@example.com`;
}

/** Signs up an account with a session. Confirmation must be off. */
export async function signUp(server: TestServer) {
  const client = newClient(server);
  const email = newEmail();
  const { data, error } = await client.auth.signUp({ email, password });
  if (error) {
    throw error;
  }
  return { client, email, ...present(data) };
}

/** Opens another session of an account. */
export async function signIn(server: TestServer, email: string, secret = password) {
  const client = newClient(server);
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
  server: TestServer,
  method: string,
  path: string,
  options: { body?: unknown; token?: string; address?: string; agent?: string } = {},
) {
  const { body, token, address = "127.0.0.1", agent } = options;
  const request = new Request(`${server.url}/auth/v1${path}`, {
    method,
    headers: {
      apikey: server.publishableKey,
      "content-type": "application/json",
      ...(token && { authorization: `Bearer ${token}` }),
      ...(agent && { "user-agent": agent }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const response = await fetchFrom(server, address, request);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    json: text ? (JSON.parse(text) as Record<string, unknown>) : undefined,
  };
}

/** Enrols and verifies a factor. The client's session is then at aal2. */
export async function enrolVerified(server: AuthServer, client: Client, friendlyName = "phone") {
  const { auth } = await proved(client);
  const { data: factor, error } = await auth.mfa.enroll({
    factorType: "totp",
    friendlyName,
  });
  if (error) {
    throw error;
  }
  const code = codeOf(server, factor.totp.secret);
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
export function codeOf(server: AuthServer, secret: string): string {
  return new TOTP({ secret }).generate({ timestamp: server.now() });
}

const isAboutChange = ({ file }: ReceivedMail) =>
  accountChanges.some((change) => file.includes(`-${change}-`));

/** Waits until an address has `count` mails besides those about changes. Returns the latest. */
export async function mailNumber(server: TestServer, email: string, count: number) {
  const mails = await vi.waitFor(
    async () => {
      const found = (await mailsTo(server, email)).filter((mail) => !isAboutChange(mail));
      expect(found.length).toBeGreaterThanOrEqual(count);
      return found;
    },
    { timeout: 30_000, interval: 20 },
  );
  const mail = mails[count - 1];
  if (!mail) {
    throw new Error("The mail did not arrive");
  }
  return { ...mail, tokenHash: mail.link?.searchParams.get("token_hash") ?? "" };
}
