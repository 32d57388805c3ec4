import { combineChunks, isChunkLike, parseCookieHeader } from "@supabase/ssr";
import { z } from "zod";

interface Cookie {
  name: string;
  value: string;
}

/** The fields that the Supabase client uses unchecked (auth-js, `_isValidSession`). */
const sessionSchema = z.object({
  access_token: z.string().regex(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  refresh_token: z.string().min(1),
  expires_at: z.number(),
  user: z.object({ factors: z.array(z.object({ id: z.string() })).optional() }).nullish(),
});

/** Parses a Cookie header. A missing value is an empty text. */
export function readCookies(header: string): Cookie[] {
  return parseCookieHeader(header).map(({ name, value = "" }) => ({ name, value }));
}

/**
 * The names of the cookies (`name`, or its chunks `name.0`, …) of a malformed session, otherwise none. The
 * client also reads its session outside of our calls, where an error would end the process.
 */
export async function brokenSession(name: string, cookies: readonly Cookie[]): Promise<string[]> {
  if (await readSession(name, cookies)) {
    return [];
  }
  return cookies.map((cookie) => cookie.name).filter((chunk) => isChunkLike(chunk, name));
}

/** The cookies of a header, except those of a malformed session. Calls `remove` for these. */
export async function soundCookies(
  session: string,
  header: string,
  remove: (name: string) => void,
): Promise<Cookie[]> {
  const cookies = readCookies(header);
  const broken = new Set(await brokenSession(session, cookies));
  broken.forEach(remove);
  return cookies.filter(({ name }) => !broken.has(name));
}

const encoded = "base64-";

/** Reads the session of the cookies, unverified. */
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
    // Cookies of version 1.0 are base64url.
    const json = text.startsWith(encoded)
      ? Buffer.from(text.slice(encoded.length), "base64url").toString()
      : text;
    return sessionSchema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
