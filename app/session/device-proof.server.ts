import { serializeCookieHeader } from "@supabase/ssr";
import { log } from "#app/lib/log.server.ts";
import type { Supabase } from "#app/models/supabase.ts";
import { cookieNames } from "./cookie-names.server.ts";
import { readCookies } from "./session-cookie.server.ts";

const halfAYear = 180 * 24 * 60 * 60;
const timeoutMs = 2000;

/**
 * Reads the cookie's proof that an account used this browser. The database checks it: attempts with
 * a proof have a count that strangers cannot use up.
 */
export function readDeviceProof(request: Request, secure: boolean): string | undefined {
  const header = request.headers.get("Cookie");
  const { device } = cookieNames(secure);
  return header?.includes(device)
    ? readCookies(header).find(({ name }) => name === device)?.value
    : undefined;
}

/**
 * The Set-Cookie header of the proof, a keyed hash, for a new or renewed session; undefined if the
 * browser has it, or the session lacks its second factor. It outlives the sign-out.
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
    log.error("A browser got no proof of its account", { code: error.code });
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
