import { TOTP } from "otpauth";
import { type Keys, loadKeys } from "#embedded/keys.ts";
import { newAddress } from "./address.ts";
import type { RunningSite } from "./site.ts";
import { type Answer, ask } from "./visitor.ts";

/** The key, token and address of a request. */
export interface Caller {
  apikey: string;
  token?: string;
  /** By default each request has a new address. */
  address?: string;
}

export interface ApiAnswer extends Answer {
  // Tests read arbitrary members.
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any;
}

/** Returns a client of the site's API, with the keys in its data folder. */
export async function openApi(site: RunningSite) {
  const keys: Keys = await loadKeys(site.dataDir);
  const anon: Caller = { apikey: keys.publishableKey };
  const service: Caller = { apikey: keys.secretKey };

  async function send(caller: Caller, method: string, path: string, body?: unknown, headers = {}) {
    const answer = await ask(site, method, path, {
      headers: {
        apikey: caller.apikey,
        "X-Forwarded-For": caller.address ?? newAddress(),
        ...(caller.token && { Authorization: `Bearer ${caller.token}` }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const isJson = answer.headers["content-type"]?.includes("json");
    const json: unknown = isJson && answer.text ? JSON.parse(answer.text) : undefined;
    return { ...answer, json } as ApiAnswer;
  }

  return {
    keys,
    anon,
    service,
    send,
    as: (token: string): Caller => ({ apikey: keys.publishableKey, token }),
    /** Adds and verifies a TOTP factor. Returns the token at aal2. */
    async enrol(token: string): Promise<{ token: string; secret: string; factor: string }> {
      const caller = { apikey: keys.publishableKey, token };
      const enrolled = await send(caller, "POST", "/auth/v1/factors", { factor_type: "totp" });
      const { id, totp } = enrolled.json;
      const challenge = await send(
        caller,
        "POST",
        `/auth/v1/factors/${id}/challenge`,
        {},
        {
          "X-Forwarded-For": "192.0.2.7",
        },
      );
      const verified = await send(
        caller,
        "POST",
        `/auth/v1/factors/${id}/verify`,
        { challenge_id: challenge.json.id, code: new TOTP({ secret: totp.secret }).generate() },
        { "X-Forwarded-For": "192.0.2.7" },
      );
      if (verified.status !== 200) {
        throw new Error(`The factor was refused: ${verified.text}`);
      }
      return { token: verified.json.access_token, secret: totp.secret, factor: id };
    },
    /** Makes the token's account the owner of the inbox, with a new code. */
    async claim(token: string): Promise<void> {
      const made = await send(service, "POST", "/rest/v1/rpc/new_claim_code", {});
      const caller = { apikey: keys.publishableKey, token };
      const claimed = await send(caller, "POST", "/rest/v1/rpc/claim_inbox", { code: made.json });
      if (claimed.json !== true) {
        throw new Error(`The claim was refused: ${claimed.text}`);
      }
    },
    /** Tries to claim the inbox with a code. Returns the response. */
    tryClaim(token: string, code: string, address?: string): Promise<ApiAnswer> {
      const caller = { apikey: keys.publishableKey, token, ...(address && { address }) };
      return send(caller, "POST", "/rest/v1/rpc/claim_inbox", { code });
    },
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
