import { z } from "zod";
import { limitReached, logFailed } from "#app/lib/log.server.ts";
import { untilAborted } from "#app/lib/until-aborted.ts";
import { callRefusal } from "#app/models/data-of.server.ts";
import type { Backend } from "#app/site-contract.server.ts";
import type { AuthRefusal } from "./refusal.ts";

const maxSubject = 320;
// This leaves time for the attempt itself within a form's deadline.
const timeoutMs = 3000;

export interface Attempts {
  site: Pick<Backend, "callAsSite">;
  /** The visitor's. */
  address: string;
}

type Kind = "sign-in" | "sign-up" | "mail" | "code" | "mailed-code";

/**
 * Counts an attempt for an address or account. Returns a refusal if there were too many, or if
 * they cannot be counted.
 */
export async function takeAttempt(
  { site, address }: Attempts,
  kind: Kind,
  account: string,
): Promise<AuthRefusal | undefined> {
  try {
    const answer = await call(site, "take_attempt", { kind, account, address });
    const wait = z.int().nullable().parse(answer);
    return wait === null ? undefined : tooMany(kind, wait);
  } catch (error) {
    logFailed("An attempt was not counted", { kind, code: callRefusal(error)?.code });
    return { status: 503, code: undefined };
  }
}

/** Logs that a limit was reached. Returns the refusal, with the seconds to wait. */
export function tooMany(limit: string, wait: number): AuthRefusal {
  limitReached(limit);
  return { status: 429, code: "over_request_rate_limit", wait };
}

/** Forgets the attempts at an account: one was right, so its holder need not wait. */
export async function clearAttempts(
  { site }: Attempts,
  kind: "sign-in" | "code",
  account: string,
): Promise<void> {
  await call(site, "clear_attempts", { kind, account }).catch((error: unknown) =>
    logFailed("The attempts at an account were not cleared", {
      kind,
      code: callRefusal(error)?.code,
    }),
  );
}

const call = (
  site: Attempts["site"],
  name: "take_attempt" | "clear_attempts",
  { account, ...args }: { kind: Kind; account: string; address?: string },
) =>
  untilAborted(
    AbortSignal.timeout(timeoutMs),
    site.callAsSite(name, { ...args, account: account.slice(0, maxSubject) }),
  );
