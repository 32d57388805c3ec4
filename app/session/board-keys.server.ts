import { serializeCookieHeader } from "@supabase/ssr";
import { cookieNames } from "./cookie-names.server.ts";
import { readCookies } from "./session-cookie.server.ts";

const aYear = 365 * 24 * 60 * 60;

/** Whether the board listens to keys in this browser: until the account page turns them off. */
export function hasBoardKeys({ headers }: Request, secure: boolean): boolean {
  const { keys } = cookieNames(secure);
  return !readCookies(headers.get("Cookie") ?? "").some(({ name }) => name === keys);
}

/** The Set-Cookie header that turns them on or off in this browser. */
export function boardKeysCookie(isOn: boolean, secure: boolean): string {
  return serializeCookieHeader(cookieNames(secure).keys, "off", {
    httpOnly: true,
    secure,
    sameSite: "lax",
    path: "/",
    maxAge: isOn ? 0 : aYear,
  });
}
