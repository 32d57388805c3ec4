import { combineChunks, isChunkLike, parseCookieHeader } from "@supabase/ssr";
import { z } from "zod";

interface Cookie {
  name: string;
  value: string;
}

/** What the Supabase client relies on without a check (auth-js, `_isValidSession`). */
const sessionSchema = z.object({
  access_token: z.string().regex(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  refresh_token: z.string().min(1),
  expires_at: z.number(),
  user: z.object({ factors: z.array(z.object({ id: z.string() })).optional() }).nullish(),
});

/** Parses a Cookie header; a cookie without a value is empty. */
export function readCookies(header: string): Cookie[] {
  return parseCookieHeader(header).map(({ name, value = "" }) => ({ name, value }));
}

/**
 * The names of the cookies (`name`, or its chunks `name.0`, …) of a session that the Supabase client
 * cannot use. It also reads its session outside of calls, where an error would end the process.
 */
export async function brokenSession(name: string, cookies: readonly Cookie[]): Promise<string[]> {
  if (await readSession(name, cookies)) {
    return [];
  }
  return cookies.map((cookie) => cookie.name).filter((chunk) => isChunkLike(chunk, name));
}

/** The cookies of a header without those of a broken session, which go to `remove`. */
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

/** Reads the session of the cookies. Nothing in it is proved. */
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
    // Version 1.0 encoded it.
    const json = text.startsWith(encoded)
      ? Buffer.from(text.slice(encoded.length), "base64url").toString()
      : text;
    return sessionSchema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
