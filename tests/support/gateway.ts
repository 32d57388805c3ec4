import { secretKey, secretKeys } from "./keys.ts";
import type { FateOf } from "./proxy.ts";

// Supabase does not publish how it knows a browser. Known are refusals of every agent that begins
// with "Mozilla" and of requests without one; this rule refuses each word that browsers' agents have.
const browserWords =
  /^$|mozilla|gecko|webkit|version|mobile|chrome|crios|cros|safari|firefox|fxios|edg|opera|opr|samsung|browser|windows|win64|macintosh|mac os|iphone|ipad|android|linux|x11/i;

const refusal = (message: string, hint: string) => ({ status: 401, body: { message, hint } });

const noKey = refusal(
  "No API key found in request",
  "No `apikey` request header or url param was found.",
);
const invalidKey = refusal(
  "Invalid API key",
  "Double check your Supabase `anon` or `service_role` API key.",
);
const secretInBrowser = refusal(
  "Forbidden use of secret API key in browser",
  "Secret API keys can only be used in a protected environment and should never be used in a browser. Delete this secret API key immediately.",
);

/** Whether a User-Agent counts as a browser's. */
export const isBrowser = (agent: string) => browserWords.test(agent);

/**
 * The rules of hosted Supabase's gateway (docs, "API keys"): every request has a known key, browsers
 * no secret one; a key is no bearer token, unless it is the request's own; only beside a secret key
 * a request names another client's address. A legacy key is a JWT, which browsers may have.
 */
export function gatewayRules(publishableKey: string): FateOf {
  return (path, { headers }) => {
    const key = headers["apikey"] ?? new URL(path, "http://localhost").searchParams.get("apikey");
    if (key === null) {
      return noKey;
    }
    const bearer = /^Bearer (sb_\S*)/i.exec(headers.authorization ?? "")?.[1] ?? key;
    if (![publishableKey, ...secretKeys].includes(String(key)) || bearer !== key) {
      return invalidKey;
    }
    if (key !== secretKey) {
      delete headers["sb-forwarded-for"];
      return "pass";
    }
    return isBrowser(headers["user-agent"] ?? "") ? secretInBrowser : "pass";
  };
}
