import { combineChunks, isChunkLike, stringFromBase64URL } from "@supabase/ssr";
import { z } from "zod";

interface Cookie {
  name: string;
  value: string;
}

/** What the Supabase client relies on without looking (auth-js, `_isValidSession` and users of it). */
const sessionSchema = z.object({
  access_token: z.string().regex(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  refresh_token: z.string().min(1),
  expires_at: z.number(),
  user: z.object({ factors: z.array(z.object({ id: z.string() })).optional() }).nullish(),
});

/**
 * Those of the visitor's cookies that make up a session which the Supabase client cannot work
 * with. The client looks at its session outside of any call too, where an error that it throws
 * over one ends the process.
 * @param name of the session cookie; its chunks are `name.0`, `name.1`, …
 */
export async function brokenSession(name: string, cookies: readonly Cookie[]): Promise<string[]> {
  const values = new Map(cookies.map((cookie) => [cookie.name, cookie.value]));
  const text = await combineChunks(name, (chunk) => values.get(chunk));
  if (text !== null && isSession(text)) return [];
  return cookies.map((cookie) => cookie.name).filter((chunk) => isChunkLike(chunk, name));
}

function isSession(text: string): boolean {
  if (!text.startsWith("base64-")) return false;
  try {
    const json: unknown = JSON.parse(stringFromBase64URL(text.slice("base64-".length)));
    return sessionSchema.safeParse(json).success;
  } catch {
    return false;
  }
}
