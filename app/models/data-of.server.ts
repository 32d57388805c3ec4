import type { PostgrestSingleResponse } from "@supabase/supabase-js";
import { logFailed } from "#app/lib/log.server.ts";

/** The data that the database returned. @throws {Response} 503 with `text` if the call failed */
export function dataOf<Data>({ data, error }: PostgrestSingleResponse<Data>, text: string): Data {
  if (error) {
    throw unavailable(text, error.code);
  }
  return data;
}

/** The seconds to wait that a function of the database says with its 429, a minute without. */
export const waitOf = (error: { details: string } | null): number => Number(error?.details) || 60;

/**
 * Logs that the database or the authentication failed. Returns the response to throw: its status
 * text is `text`, which visitors read on the error page (React Router shows no text of an Error).
 */
export function unavailable(text: string, code: string | undefined): Response {
  logFailed(text, { code });
  return new Response(null, { status: 503, statusText: text });
}
