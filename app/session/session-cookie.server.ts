import { combineChunks, isChunkLike, parseCookieHeader } from "@supabase/ssr";
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

/** The cookies of a request's header, one without a value as empty. */
export function readCookies(header: string): Cookie[] {
  return parseCookieHeader(header).map(({ name, value = "" }) => ({ name, value }));
}

/**
 * Those of the visitor's cookies that make up a session which the Supabase client cannot work
 * with. The client looks at its session outside of any call too, where an error that it throws
 * over one ends the process.
 * @param name of the session cookie; its chunks are `name.0`, `name.1`, …
 */
export async function brokenSession(name: string, cookies: readonly Cookie[]): Promise<string[]> {
  if (await readSession(name, cookies)) {
    return [];
  }
  return cookies.map((cookie) => cookie.name).filter((chunk) => isChunkLike(chunk, name));
}

const encoded = "base64-";

/** The session in the visitor's cookies, as it says itself: nothing in it is proven. */
export async function readSession(
  name: string,
  cookies: readonly Cookie[],
): Promise<z.infer<typeof sessionSchema> | undefined> {
  const values = new Map(cookies.map((cookie) => [cookie.name, cookie.value]));
  const text = await combineChunks(name, (chunk) => values.get(chunk));
  if (text === null) {
    return undefined;
  }
  try {
    // Version 1.0 encoded it. Node decodes faster than the client's own decoder.
    const json = text.startsWith(encoded)
      ? Buffer.from(text.slice(encoded.length), "base64url").toString()
      : text;
    return sessionSchema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
