import type { PostgrestSingleResponse } from "@supabase/supabase-js";
import { z } from "zod";
import { logFailed } from "#app/lib/log.server.ts";
import type { CallRefusal } from "#app/site-contract.server.ts";

/** The data that the database returned. @throws {Response} 503 with `text` if the call failed */
export function dataOf<Data>({ data, error }: PostgrestSingleResponse<Data>, text: string): Data {
  if (error) {
    throw unavailable(text, error.code);
  }
  return data;
}

const refusalSchema = z.object({ status: z.int(), code: z.string(), details: z.string() });

/** The database's error for a failed call of the site (`callAsSite`); undefined for any other error. */
export const callRefusal = (error: unknown): CallRefusal | undefined =>
  refusalSchema.safeParse(error).data;

/** The data that a call of the site returned. @throws {Response} 503 with `text` if it failed */
export const dataOfCall = (asked: Promise<unknown>, text: string): Promise<unknown> =>
  asked.catch((error: unknown) => {
    throw unavailable(text, callRefusal(error)?.code);
  });

/**
 * Logs that the database or the authentication failed. Returns the response to throw: its status
 * text is `text`, which visitors read on the error page (React Router shows no text of an Error).
 */
export function unavailable(text: string, code: string | undefined): Response {
  logFailed(text, { code });
  return new Response(null, { status: 503, statusText: text });
}
