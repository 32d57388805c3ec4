import { href } from "react-router";
import { z } from "zod";

/** The `type` of a mail's link or code in Supabase Auth. */
export const confirmationTypeSchema = z
  .enum(["signup", "recovery", "magiclink", "email_change", "invite", "email"])
  .catch("email");

export type ConfirmationType = z.infer<typeof confirmationTypeSchema>;

/** The query of Supabase's links. Checked strictly, because campaigns use some of the names. */
const linkSchema = z.union([
  z.object({
    token_hash: z.string().regex(/^(pkce_)?([\da-f]{56}|[\da-f]{64})$/),
    type: z.string(),
  }),
  // A UUID from hosted Supabase, or 32 bytes from the embedded one.
  z.object({ code: z.union([z.uuid(), z.string().regex(/^[\w-]{43}$/)]) }),
  z.object({ error: z.string(), error_description: z.string() }),
]);

/** The path of /auth/confirm for a mail's link that leads to another page; undefined for others. */
export function confirmationTarget({ search, searchParams }: URL): string | undefined {
  if (search === "") {
    return undefined;
  }
  const link = linkSchema.safeParse(Object.fromEntries(searchParams));
  return link.success ? `${href("/auth/confirm")}?${searchParams}` : undefined;
}
