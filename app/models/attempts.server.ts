import { z } from "zod";
import { limitReached, logFailed } from "#app/lib/log.server.ts";
import { untilAborted } from "#app/lib/until-aborted.ts";
import type { Backend } from "#app/site-contract.server.ts";
import { callRefusal } from "./data-of.server.ts";
import type { AuthRefusal } from "./refusal.ts";

const maxSubject = 320;
// Leaves time for the attempt itself within a form's deadline.
const timeoutMs = 3000;

/** `device`: the browser's device proof, unchecked. */
export interface Attempts {
  site: Pick<Backend, "callAsSite">;
  /** The visitor's. */
  address: string;
  device: string | undefined;
}

type Kind = "sign-in" | "sign-up" | "mail" | "code" | "mailed-code";

/**
 * Counts an attempt for an address or account. Returns a refusal if there were too many, or if
 * they cannot be counted.
 */
export async function takeAttempt(
  attempts: Attempts,
  kind: Kind,
  account: string,
): Promise<AuthRefusal | undefined> {
  try {
    const answer = await count("take_attempt", attempts, kind, account);
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

/** Takes back an attempt that was right. */
export async function returnAttempt(
  attempts: Attempts,
  kind: "sign-in" | "code",
  account: string,
): Promise<void> {
  await count("return_attempt", attempts, kind, account).catch((error: unknown) =>
    logFailed("An attempt was not taken back", { kind, code: callRefusal(error)?.code }),
  );
}

const count = (
  name: "take_attempt" | "return_attempt",
  { site, address, device }: Attempts,
  kind: Kind,
  account: string,
) =>
  untilAborted(
    AbortSignal.timeout(timeoutMs),
    site.callAsSite(name, {
      kind,
      account: account.slice(0, maxSubject),
      address,
      ...(device && { device }),
    }),
  );
