import { href } from "react-router";
import { z } from "zod";

/** The purpose of a mail's link or code, in the words of the authentication service. */
export const confirmationType = z
  .enum(["signup", "recovery", "magiclink", "email_change", "invite", "email"])
  .catch("email");

export type ConfirmationType = z.infer<typeof confirmationType>;

/** The parameters of Supabase's links; campaigns use some of the names too. */
const linkSchema = z.union([
  z.object({
    token_hash: z.string().regex(/^(pkce_)?([\da-f]{56}|[\da-f]{64})$/),
    type: z.string(),
  }),
  // A UUID of a hosted service, or 32 bytes of the embedded one.
  z.object({ code: z.union([z.uuid(), z.string().regex(/^[\w-]{43}$/)]) }),
  z.object({ error: z.string(), error_description: z.string() }),
]);

/** Returns the address of /auth/confirm for a mail's link that landed elsewhere. */
export function confirmationTarget({ searchParams }: URL): string | undefined {
  const link = linkSchema.safeParse(Object.fromEntries(searchParams));
  return link.success ? `${href("/auth/confirm")}?${searchParams}` : undefined;
}
