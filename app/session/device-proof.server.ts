import { serializeCookieHeader } from "@supabase/ssr";
import { logFailed } from "#app/lib/log.server.ts";
import type { Supabase } from "#app/models/supabase.ts";
import { cookieNames } from "./cookie-names.server.ts";
import { readCookies } from "./session-cookie.server.ts";

const halfAYear = 180 * 24 * 60 * 60;
const timeoutMs = 2000;

/**
 * Reads the proof that an account used this browser, unchecked. The database checks it and counts
 * attempts with a proof separately, so that strangers cannot use up the account's limit.
 */
export function readDeviceProof(request: Request, secure: boolean): string | undefined {
  const header = request.headers.get("Cookie");
  const { device } = cookieNames(secure);
  return header?.includes(device)
    ? readCookies(header).find(({ name }) => name === device)?.value
    : undefined;
}

/**
 * The Set-Cookie header of the proof, a keyed hash, for a new or renewed session. Undefined if the
 * browser has it or the session lacks its second factor. The cookie stays after a sign-out.
 */
export async function deviceProofHeader(
  supabase: Supabase,
  known: string | undefined,
  secure: boolean,
): Promise<string | undefined> {
  const { data: proof, error } = await supabase
    .rpc("device_proof")
    .abortSignal(AbortSignal.timeout(timeoutMs));
  if (error) {
    logFailed("A browser got no proof of its account", { code: error.code });
  }
  if (!proof || proof === known) {
    return undefined;
  }
  return serializeCookieHeader(cookieNames(secure).device, proof, {
    httpOnly: true,
    secure,
    sameSite: "lax",
    path: "/",
    maxAge: halfAYear,
  });
}
