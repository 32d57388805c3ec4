import { href } from "react-router";
import { z } from "zod";

/** What a mail's link or code is for; the names are the authentication service's. */
export const confirmationType = z
  .enum(["signup", "recovery", "magiclink", "email_change", "invite", "email"])
  .catch("email");

export type ConfirmationType = z.infer<typeof confirmationType>;

const signs = ["token_hash", "code", "error_code", "error_description"];

/**
 * Where a mail's link that landed on another page is completed: /auth/confirm, with what
 * the link brought. Undefined for a link that brought nothing.
 */
export function confirmationTarget({ searchParams }: URL): string | undefined {
  if (!signs.some((name) => searchParams.has(name))) return undefined;
  return `${href("/auth/confirm")}?${searchParams}`;
}
