import { prove, signAccessToken, type Sql } from "embedded-supabase/testing";
import { decodeJwt } from "jose";
import { TOTP } from "otpauth";
import { newAddress } from "./address.ts";
import { asRole, storeMessages, type StoredMessage } from "./messages.ts";
import { openServices } from "./services.ts";
import { withSuperuser } from "./superuser.ts";

/** The token of a call. */
export interface Caller {
  token?: string;
}

export interface ApiAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
  // Tests read arbitrary members.
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any;
}

/** Opens the services of a running site (services.ts), to call them with any token. */
export async function openApi(site: { url: string; dataDir: string }) {
  const services = await openServices(site);
  const { keys } = services;
  const anon: Caller = {};
  const expiry = Math.floor(Date.now() / 1000) + 86_400;
  const service = { token: await signAccessToken(keys, { role: "service_role", exp: expiry }) };

  /** Makes a call of the list. Throws for another one. */
  async function send(
    caller: Caller,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<ApiAnswer> {
    const request = new Request(new URL(path, site.url), {
      method,
      headers: {
        ...(caller.token && { Authorization: `Bearer ${caller.token}` }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const response = await services.fetch(request);
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") && text !== "";
    const json: unknown = isJson ? JSON.parse(text) : undefined;
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text,
      json,
    };
  }

  const call = (caller: Caller, name: string, args: object = {}) =>
    send(caller, "POST", `/rest/v1/rpc/${name}`, args);

  return {
    keys,
    anon,
    service,
    send,
    call,
    as: (token: string): Caller => ({ token }),
    /** Runs SQL in a transaction with the role and claims of a caller. */
    run: <Result>(
      { token }: Caller,
      work: (transaction: Sql) => Promise<Result>,
    ): Promise<Result> => {
      const claims = token === undefined ? { role: "anon" } : decodeJwt<{ role: string }>(token);
      return withSuperuser(site.dataDir, (sql) => asRole(sql, claims, work));
    },
    /** Leaves a message as the site does for a visitor, by default with an address of their own. */
    leave: (message: object, address = newAddress()): Promise<ApiAnswer> =>
      call(service, "leave_message", { message, address }),
    /** Sorts messages, whoever owns the inbox. */
    async sort(action: string, ids: string[]) {
      const [sorted] = await withSuperuser(
        site.dataDir,
        (sql) => sql<{ changed: number; change: string }>`
          select * from public.sort_messages(${action}, ${ids}::uuid[])`,
      );
      return sorted;
    },
    /** Stores a message. Returns it. */
    async store(row: object): Promise<StoredMessage> {
      const [stored] = await storeMessages(site.dataDir, [row]);
      if (!stored) {
        throw new Error("The message was not stored.");
      }
      return stored;
    },
    /** Returns the names in the messages that a caller can read, oldest first. */
    async namesFor(caller: Caller): Promise<string[]> {
      const rows = await this.run(
        caller,
        (sql) => sql<{ name: string }>`
          select name from public.contact_messages order by created_at`,
      );
      return rows.map(({ name }) => name);
    },
    /** Adds and verifies a TOTP factor. Returns the token at aal2. */
    async enrol(token: string): Promise<{ token: string; secret: string; factor: string }> {
      const caller = { token };
      await prove(site, token);
      const enrolled = await send(caller, "POST", "/auth/v1/factors", { factor_type: "totp" });
      const { id, totp } = enrolled.json;
      const challenge = await send(caller, "POST", `/auth/v1/factors/${id}/challenge`, {});
      const code = new TOTP({ secret: totp.secret }).generate();
      const proof = { challenge_id: challenge.json.id, code };
      const verified = await send(caller, "POST", `/auth/v1/factors/${id}/verify`, proof);
      if (verified.status !== 200) {
        throw new Error(`The factor was refused: ${verified.text}`);
      }
      return { token: verified.json.access_token, secret: totp.secret, factor: id };
    },
    /** Makes the token's account the owner of the inbox, with a new code. */
    async claim(token: string): Promise<void> {
      const made = await call(service, "new_claim_code");
      const claimed = await call({ token }, "claim_inbox", { code: made.json });
      if (claimed.json !== true) {
        throw new Error(`The claim was refused: ${claimed.text}`);
      }
    },
    /** Tries to claim the inbox with a code. Returns the response. */
    tryClaim: (token: string, code: string): Promise<ApiAnswer> =>
      call({ token }, "claim_inbox", { code }),
    async signIn(credentials: { email: string; password: string }): Promise<string> {
      const answer = await send(anon, "POST", "/auth/v1/token?grant_type=password", credentials);
      if (answer.status !== 200) {
        throw new Error(`The sign-in was refused: ${answer.text}`);
      }
      return answer.json.access_token;
    },
  };
}

export type Api = Awaited<ReturnType<typeof openApi>>;
