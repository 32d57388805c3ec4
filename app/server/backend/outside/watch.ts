import { z } from "zod";
import { siteAgent } from "#app/lib/device-name.ts";
import { log } from "#app/lib/log.server.ts";
import { codeIn, jsonIn, type KeySetting, reportAnswer, fetchWhole } from "./answers.ts";

/** The version of Supabase's command line tool that the documents name. */
export const supabaseCli = "npx supabase@3.1.0";

const timeoutMs = 3000;
const againMs = 60_000;
const longestLine = 200;

interface Service {
  url: string;
  key: string;
}

/**
 * Checks that the database of SUPABASE_URL takes the site's calls. Returns a function that checks it again.
 */
export const watchDatabase = ({ url, key }: Service): (() => Promise<boolean>) =>
  watch({
    url: new URL("/rest/v1/rpc/privacy_terms", url),
    // A legacy key is also the bearer that names its role.
    headers: { apikey: key, Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: "{}",
    setting: "SUPABASE_SECRET_KEY",
    isExpected: (terms) => z.looseObject({ months: z.int() }).safeParse(terms).success,
  });

const settingsSchema = z.object({ mailer_autoconfirm: z.boolean() });

const unconfirmed = `The Supabase at SUPABASE_URL does not confirm addresses: a change of address needs one mail only, the old address is enough, and a mistyped address gets the account. Turn confirmations on (${supabaseCli} config push, or 'Confirm email' in the dashboard).`;

/**
 * Checks that the authentication answers with its settings, and warns if it confirms no addresses. Returns
 * functions that check it again, and that tell whether it can verify an address, true until it has answered.
 */
export function watchAuthentication({ url, key }: Service) {
  let canVerify = true;
  const isReady = watch({
    url: new URL("/auth/v1/settings", url),
    headers: { apikey: key },
    setting: "SUPABASE_PUBLISHABLE_KEY",
    isExpected(answer) {
      const settings = settingsSchema.safeParse(answer).data;
      if (settings) {
        if (settings.mailer_autoconfirm && canVerify) {
          log.warn(unconfirmed);
        }
        canVerify = !settings.mailer_autoconfirm;
      }
      return settings !== undefined;
    },
  });
  return { isReady, canVerifyEmail: () => canVerify };
}

interface Watched {
  url: URL;
  headers: Record<string, string>;
  /** Of a POST. */
  body?: string;
  /** The setting whose key the request has. */
  setting: KeySetting;
  isExpected(answer: unknown): boolean;
}

/**
 * Asks now, and again each minute until the answer is the expected one. Logs every other answer. Returns a
 * function that asks once more, and returns whether the answer is the expected one.
 */
function watch({ url, headers, body, setting, isExpected }: Watched): () => Promise<boolean> {
  async function isReady(): Promise<boolean> {
    const request = new Request(url, {
      headers: { ...headers, "User-Agent": siteAgent(null) },
      ...(body !== undefined && { method: "POST", body }),
    });
    const answer = await fetchWhole(request, AbortSignal.timeout(timeoutMs)).catch(() => undefined);
    if (!answer) {
      return false;
    }
    const text = await answer.text();
    if (isExpected(jsonIn(text))) {
      return true;
    }
    if (codeIn(text) === "PGRST202") {
      log.often("error", older);
    } else {
      const [line = ""] = text.split("\n", 1);
      reportAnswer(`${answer.status} ${line.slice(0, longestLine)}`.trim(), setting);
    }
    return false;
  }

  async function askUntilReady() {
    if (!(await isReady())) {
      setTimeout(askUntilReady, againMs).unref();
    }
  }
  void askUntilReady();
  return isReady;
}

const older = `The database of SUPABASE_URL is older than this site: run ${supabaseCli} db push --remote`;
