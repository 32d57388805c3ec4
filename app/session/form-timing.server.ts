import { type Cookie, createCookie } from "react-router";
import { cookieNames } from "./cookie-names.server.ts";

const thirtyDays = 30 * 24 * 60 * 60;
// In milliseconds. Few people read the page and fill three fields in less.
const haste = 3000;

/**
 * The cookie with the signed time when a visitor first got the page with the form, which itself is
 * the same for everyone. All visitors of one second get the same value.
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
 * The Set-Cookie header that begins a visit; undefined if these cookies have one, so that a second
 * tab does not make the first one's form hasty.
 */
export type TimingHeader = (cookies: string | undefined) => string | Promise<string | undefined>;

/** Signs a cookie each second, so that no response waits for it. */
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

/** The spam sign of a form's cookies. It alone marks nobody: people can be fast or block cookies. */
export async function timingSign(
  cookie: Cookie,
  header: string | null,
): Promise<"haste" | "unseen" | undefined> {
  const time = await startedAt(cookie, header);
  if (time === undefined) {
    return "unseen";
  }
  return Math.abs(Date.now() - time) < haste ? "haste" : undefined;
}

async function startedAt(cookie: Cookie, header: string | null): Promise<number | undefined> {
  const time: unknown = await cookie.parse(header);
  return typeof time === "number" ? time : undefined;
}
