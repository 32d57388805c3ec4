import { href } from "react-router";
import { z } from "zod";

/** What a mail's link or code is for; the names are the authentication service's. */
export const confirmationType = z
  .enum(["signup", "recovery", "magiclink", "email_change", "invite", "email"])
  .catch("email");

export type ConfirmationType = z.infer<typeof confirmationType>;

/** What Supabase adds to the address that its links lead to; campaigns use some of the names too. */
const linkSchema = z.union([
  z.object({
    token_hash: z.string().regex(/^(pkce_)?([\da-f]{56}|[\da-f]{64})$/),
    type: z.string(),
  }),
  // A UUID of a hosted service's, or 32 bytes of the embedded one's.
  z.object({ code: z.union([z.uuid(), z.string().regex(/^[\w-]{43}$/)]) }),
  z.object({ error: z.string(), error_description: z.string() }),
]);

/**
 * Where a mail's link that landed on another page is completed: /auth/confirm, with what
 * the link brought. Undefined for an address that no such link has.
 */
export function confirmationTarget({ searchParams }: URL): string | undefined {
  const link = linkSchema.safeParse(Object.fromEntries(searchParams));
  return link.success ? `${href("/auth/confirm")}?${searchParams}` : undefined;
}
