import { type Cookie, createCookie } from "react-router";
import type { Backend } from "#app/site-contract.server.ts";
import { cookieNames } from "./cookie-names.server.ts";

interface Site {
  secure: boolean;
  backend: Pick<Backend, "cookieSecret">;
}

/** Keeps the address to which a visitor has just had a mail sent: the page for its code has it then. */
export const mailedAddressCookie = ({ secure, backend }: Site): Cookie =>
  createCookie(cookieNames(secure).mailed, {
    secrets: [backend.cookieSecret],
    secure,
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    maxAge: 15 * 60,
  });

/** The address in a request's cookies; undefined if this site did not store it. */
export async function mailedAddress(site: Site, request: Request): Promise<string | undefined> {
  const address: unknown = await mailedAddressCookie(site).parse(request.headers.get("Cookie"));
  return typeof address === "string" ? address : undefined;
}
