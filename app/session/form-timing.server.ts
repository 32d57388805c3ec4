import { type Cookie, createCookie } from "react-router";
import { cookieNames } from "./cookie-names.server.ts";

const thirtyDays = 30 * 24 * 60 * 60;
// Few people read the page, fill three fields and send them in less, in milliseconds.
const haste = 3000;

/**
 * When a visitor was first given the page with the form: a signed time in a cookie, since the
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

/**
 * The header that begins a visit, for answers to who sent these cookies: none where a visit is
 * under way, so that a second tab does not make the first one's form a hasty one.
 */
export type VisitHeader = (cookies: string | undefined) => string | Promise<string | undefined>;

/** Signs the cookie of each second ahead, so that no new visitor's answer waits for it. */
export async function visitHeader(cookie: Cookie): Promise<VisitHeader> {
  let header = await cookie.serialize(Date.now());
  const sign = async () => {
    header = await cookie.serialize(Date.now());
  };
  setInterval(() => void sign(), 1000).unref();
  return (cookies) => {
    if (!cookies?.includes(cookie.name)) {
      return header;
    }
    return visitedAt(cookie, cookies).then((time) => (time === undefined ? header : undefined));
  };
}

/** What a form's cookies say against its sender, if anything: people can be fast or block cookies. */
export async function visitSign(
  cookie: Cookie,
  header: string | null,
): Promise<"haste" | "unseen" | undefined> {
  const time = await visitedAt(cookie, header);
  if (time === undefined) {
    return "unseen";
  }
  return Math.abs(Date.now() - time) < haste ? "haste" : undefined;
}

async function visitedAt(cookie: Cookie, header: string | null): Promise<number | undefined> {
  const time: unknown = await cookie.parse(header);
  return typeof time === "number" ? time : undefined;
}
