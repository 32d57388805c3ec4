import type { PostgrestSingleResponse } from "@supabase/supabase-js";
import { PublicError } from "#app/lib/public-error.ts";

/** The data that the database returned. @throws {PublicError} with `text` if the call failed */
export function dataOf<Data>({ data, error }: PostgrestSingleResponse<Data>, text: string): Data {
  if (error) {
    throw new PublicError(text, error.code);
  }
  return data;
}
