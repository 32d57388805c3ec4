import { type Cookie, createCookie } from "react-router";
import { cookieNames } from "../cookies.ts";

const thirtyDays = 30 * 24 * 60 * 60;
// Nobody reads the page, writes three fields and sends them in less.
const haste = 3000;

/**
 * When a visitor was last given the page with the form: a signed time in a cookie, since the
 * page itself is the same bytes for everyone. It is no identity: all who come in one second
 * get the same value.
 */
export function visitCookie(secure: boolean, secret: string): Cookie {
  return createCookie(cookieNames(secure).visit, {
    secrets: [secret],
    secure,
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    maxAge: thirtyDays,
  });
}

/** The cookie's header for answers of this second; signed ahead, so that no answer waits for it. */
export async function visitHeader(cookie: Cookie): Promise<() => string> {
  let header = await cookie.serialize(Date.now());
  const sign = async () => {
    header = await cookie.serialize(Date.now());
  };
  setInterval(() => void sign(), 1000).unref();
  return () => header;
}

/** Whether a form came too soon after its page, or without the page ever being asked for. */
export async function isHasty(cookie: Cookie, header: string | null): Promise<boolean> {
  const visitedAt: unknown = await cookie.parse(header);
  return typeof visitedAt !== "number" || Date.now() - visitedAt < haste;
}
