import { type Cookie, createCookie } from "react-router";
import { cookieNames } from "./cookie-names.server.ts";

const thirtyDays = 30 * 24 * 60 * 60;
// In milliseconds. Few people read the page and fill three fields in less.
const minFillMs = 3000;

/**
 * The cookie with the signed time of a visitor's first request of the form's page, because the bytes
 * of the page are the same for all. All visitors within one second get the same value.
 */
export function timingCookie(secure: boolean, secret: string): Cookie {
  return createCookie(cookieNames(secure).visit, {
    secrets: [secret],
    secure,
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    maxAge: thirtyDays,
  });
}

/**
 * The Set-Cookie header for a request without the cookie, otherwise undefined: a second tab must not
 * restart the first one's time.
 */
export type TimingHeader = (cookies: string | undefined) => string | Promise<string | undefined>;

/** Signs a cookie every second, so that no response waits for a signature. */
export async function timingHeader(cookie: Cookie): Promise<TimingHeader> {
  let header = await cookie.serialize(Date.now());
  const sign = async () => {
    header = await cookie.serialize(Date.now());
  };
  setInterval(() => void sign(), 1000).unref();
  return (cookies) => {
    if (!cookies?.includes(cookie.name)) {
      return header;
    }
    return startedAt(cookie, cookies).then((time) => (time === undefined ? header : undefined));
  };
}

/** The Set-Cookie header for a rendered page, as `TimingHeader` says. */
export async function newTiming(
  cookie: Cookie,
  cookies: string | null,
): Promise<string | undefined> {
  const time = await startedAt(cookie, cookies);
  return time === undefined ? cookie.serialize(Date.now()) : undefined;
}

/** The spam sign of a form's cookies. Alone it marks no message: people can be fast. */
export async function timingSign(
  cookie: Cookie,
  header: string | null,
): Promise<"haste" | "unseen" | undefined> {
  const time = await startedAt(cookie, header);
  if (time === undefined) {
    return "unseen";
  }
  return Math.abs(Date.now() - time) < minFillMs ? "haste" : undefined;
}

async function startedAt(cookie: Cookie, header: string | null): Promise<number | undefined> {
  const time: unknown = await cookie.parse(header);
  return typeof time === "number" ? time : undefined;
}
