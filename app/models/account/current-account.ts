import type { Factor, JwtPayload, User } from "@supabase/supabase-js";

export interface AccountFactor {
  id: string;
  name: string;
  createdAt: string;
}

export interface Account {
  id: string;
  /** The id of this session. */
  session: string;
  email: string;
  /** Whether a mail to this address was confirmed. */
  isEmailVerified: boolean;
  newEmail: string | undefined;
  factors: AccountFactor[];
  hasUsedFactor: boolean;
  /** When a mail's link or code began this session, in seconds since 1970. */
  mailedAt: number | undefined;
}

/** @param user null if the authentication service did not answer */
export function accountOf(claims: JwtPayload, user: User | null): Account {
  return {
    id: claims.sub,
    session: claims.session_id,
    email: user?.email ?? claims.email ?? "",
    isEmailVerified: user === null || hasVerifiedEmail(user),
    newEmail: pendingEmail(user),
    factors: (user?.factors ?? []).filter(({ status }) => status === "verified").map(factorOf),
    hasUsedFactor: claims.aal === "aal2",
    mailedAt: mailProof(claims),
  };
}

const factorOf = ({ id, friendly_name: name, created_at: createdAt }: Factor): AccountFactor => ({
  id,
  name: name ?? "تطبيق المصادقة",
  createdAt,
});

function hasVerifiedEmail({ identities = [] }: User): boolean {
  return identities.some(
    ({ provider, identity_data: data }) => provider === "email" && data?.email_verified === true,
  );
}

/** After a new password GoTrue keeps `new_email`, but its mails are void. */
const pendingEmail = (user: User | null) =>
  user?.email_change_sent_at === undefined ? undefined : user.new_email;

const mailMethods = new Set(["otp", "recovery", "magiclink"]);

function mailProof({ amr }: JwtPayload): number | undefined {
  for (const entry of amr ?? []) {
    if (typeof entry === "object" && mailMethods.has(entry.method)) {
      return entry.timestamp;
    }
  }
  return undefined;
}

export function codeIsDue({ factors, hasUsedFactor }: Account): boolean {
  return factors.length > 0 && !hasUsedFactor;
}

// Same as in the authentication service.
const freshSeconds = 10 * 60;

/** Whether a mail's link or code began the session within the last ten minutes. */
export function cameByMail({ mailedAt }: Account): boolean {
  return mailedAt !== undefined && Math.abs(Date.now() / 1000 - mailedAt) < freshSeconds;
}
