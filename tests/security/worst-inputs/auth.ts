import { newAddress } from "#tests/support/address.ts";
import { ask } from "#tests/support/visitor.ts";
import { deepJson, kilobyte, type Target, wideJson, type WorstInput, worstTexts } from "./texts.ts";

/** Returns a function that prepares requests below `base`, each from an address of its own. */
export function jsonSender({ site }: Target, base: string, headers: Record<string, string>) {
  return (method: string, path: string, body?: string, more: Record<string, string> = {}) =>
    () =>
      ask(site, method, `${base}${path}`, {
        headers: {
          "Content-Type": "application/json",
          "X-Forwarded-For": newAddress(),
          ...headers,
          ...more,
        },
        ...(body !== undefined && { body }),
      });
}

const authPosts: Record<string, string[]> = {
  signup: ["email", "password", "code_challenge"],
  "token?grant_type=password": ["email", "password"],
  "token?grant_type=refresh_token": ["refresh_token"],
  "token?grant_type=pkce": ["auth_code", "code_verifier"],
  recover: ["email"],
  otp: ["email"],
  resend: ["email", "type"],
  verify: ["email", "token", "token_hash"],
  factors: ["friendly_name", "factor_type"],
};

/** /auth/v1, with the token of an account. */
export function worstAuth(target: Target): WorstInput[] {
  const { publishableKey } = target.api.keys;
  const token = target.account.session().access_token;
  const send = jsonSender(target, "/auth/v1/", {
    apikey: publishableKey,
    Authorization: `Bearer ${token}`,
  });
  const size = 60 * kilobyte;
  const good = { email: "a@example.com", password: "long enough", type: "signup", token: "1" };
  const odd: [string, string][] = [
    ["deep JSON", `{"data":${deepJson(size)}}`],
    ["wide JSON", wideJson(size)],
    ["wide data", JSON.stringify({ ...good, data: JSON.parse(wideJson(size - kilobyte)) })],
    ["a JSON list", `[${"1,".repeat(size / 2)}1]`],
    ["no JSON", "{".repeat(size)],
  ];
  const posts = Object.entries(authPosts).flatMap(([path, fields]) => [
    ...odd.map(([what, body]) => ({ name: `${what} at ${path}`, send: send("POST", path, body) })),
    ...fields.flatMap((field) =>
      worstTexts(size / 2).map(([what, text]) => ({
        name: `${what} as ${field} at ${path}`,
        send: send("POST", path, JSON.stringify({ ...good, [field]: text })),
      })),
    ),
  ]);
  const header = Buffer.from('{"alg":"ES256","typ":"JWT"}').toString("base64url");
  const tokens = [
    ".".repeat(13_000),
    `a.${"x".repeat(13_000)}.c`,
    `${header}.${Buffer.from(deepJson(9000)).toString("base64url")}.c`,
  ];
  return [
    ...posts,
    ...odd.map(([what, body]) => ({ name: `${what} at user`, send: send("PUT", "user", body) })),
    ...tokens.map((text) => ({
      name: `a token of ${text.slice(0, 9)}…`,
      send: send("GET", "user", undefined, { Authorization: `Bearer ${text}` }),
    })),
    ...["redirect_to", "token", "type"].map((name) => ({
      name: `a long ${name}`,
      send: send("GET", `verify?type=signup&token=x&${name}=${"%2F..".repeat(2500)}`),
    })),
    { name: "many arguments", send: send("GET", `verify?${"a&".repeat(6000)}`) },
  ];
}
