import type { Mail, MailTemplate } from "#embedded/mail/mailer.ts";
import type { AuthContext } from "./context.ts";
import { AuthError } from "./errors.ts";
import { takeRecipientLimits } from "./mail-limits.ts";
import { createOneTimeToken, type TokenType } from "./one-time-tokens.ts";
import { type Challenge, startFlow } from "./pkce.ts";
import type { AuthMethod } from "./sessions.ts";
import { findUser, type User } from "./users.ts";

/** The URL that a mail's link leads to, and the client's PKCE challenge, if it sent one. */
export interface LinkTarget {
  redirectTo: string;
  challenge: Challenge | undefined;
}

/** Sends a mail after the response, whose time would reveal whether the account exists. */
export function mailAccount(
  context: AuthContext,
  kind: "confirmation" | "recovery" | "magic_link",
  email: string,
  target: LinkTarget,
): void {
  context.mailer.send(async () => {
    const user = await findUser(context.db, { email });
    if (!user || (kind === "confirmation" && user.email_confirmed_at)) {
      return [];
    }
    return composeLink(context, kind, user, target);
  });
}

const links = {
  confirmation: {
    type: "confirmation_token",
    method: "email/signup",
    sent: "confirmation_sent_at",
  },
  recovery: { type: "recovery_token", method: "recovery", sent: "recovery_sent_at" },
  magic_link: { type: "recovery_token", method: "magiclink", sent: "recovery_sent_at" },
} satisfies Record<string, { type: TokenType; method: AuthMethod; sent: keyof User }>;

async function composeLink(
  context: AuthContext,
  kind: keyof typeof links,
  user: User,
  target: LinkTarget,
): Promise<Mail[]> {
  const { type, method, sent } = links[kind];
  const now = new Date(context.now());
  const token = await context.db.begin(async (tx) => {
    if (target.challenge) {
      await startFlow(tx, context, user.id, method, target.challenge);
    }
    await tx`update auth.users set ${tx({ [sent]: now })} where id = ${user.id}`;
    const pkce = target.challenge !== undefined;
    return createOneTimeToken(tx, context, { userId: user.id, type, email: user.email, pkce });
  });
  return [mail(context, kind, user.email, user, target, token)];
}

/** Sends the mails that confirm a pending change of address, after the response. */
export function mailEmailChange(
  context: AuthContext,
  account: { id: string },
  target: LinkTarget,
): void {
  context.mailer.send(() => composeEmailChange(context, account, target));
}

/** Like mailEmailChange, by address. Over a limit it sends nothing: 429 would reveal an account. */
export function resendEmailChange(context: AuthContext, email: string, target: LinkTarget): void {
  context.mailer.send(async () => {
    const user = await findUser(context.db, { email });
    if (!user?.email_change) {
      return [];
    }
    try {
      await takeRecipientLimits(context, user.email_change);
    } catch (error) {
      if (error instanceof AuthError) {
        return [];
      }
      throw error;
    }
    return composeEmailChange(context, { id: user.id }, target);
  });
}

async function composeEmailChange(
  context: AuthContext,
  account: { id: string },
  target: LinkTarget,
): Promise<Mail[]> {
  const user = await findUser(context.db, account);
  if (!user?.email_change) {
    return [];
  }
  const taken = await findUser(context.db, { email: user.email_change });
  const recipients: [TokenType, string][] = taken
    ? []
    : [["email_change_token_new", user.email_change]];
  if (context.settings.confirmEmail) {
    recipients.push(["email_change_token_current", user.email]);
  }
  return context.db.begin(async (tx) => {
    // Both addresses must confirm again. Otherwise two mails to the current one would be enough.
    const updated = await tx`
        update auth.users set email_change_confirm_status = 0
        where id = ${user.id} and email = ${user.email} and email_change = ${user.email_change}`;
    if (updated.count === 0) {
      return [];
    }
    if (target.challenge) {
      await startFlow(tx, context, user.id, "email_change", target.challenge);
    }
    const mails: Mail[] = [];
    for (const [type, email] of recipients) {
      const pkce = target.challenge !== undefined;
      const token = await createOneTimeToken(tx, context, { userId: user.id, type, email, pkce });
      mails.push(mail(context, "email_change", email, user, target, token));
    }
    return mails;
  });
}

/** Sends the `nonce` for a new password, after the response. */
export function mailReauthentication(context: AuthContext, user: User): void {
  context.mailer.send(async () => {
    const token = await context.db.begin((tx) =>
      createOneTimeToken(tx, context, {
        userId: user.id,
        type: "reauthentication_token",
        email: user.email,
        pkce: false,
      }),
    );
    const target = { redirectTo: context.siteUrl, challenge: undefined };
    return [mail(context, "reauthentication", user.email, user, target, token)];
  });
}

/** Notifies the user that too many wrong codes have locked the account's factors. */
export function mailFactorLock(context: AuthContext, { email }: User): void {
  context.mailer.send(async () => [
    { to: email, template: "wrong_codes", variables: { Email: email, SiteURL: context.siteUrl } },
  ]);
}

function mail(
  { siteUrl }: AuthContext,
  template: MailTemplate,
  to: string,
  user: User,
  { redirectTo }: LinkTarget,
  { linkToken, code }: { linkToken: string; code: string },
): Mail {
  return {
    to,
    template,
    variables: {
      SiteURL: siteUrl,
      RedirectTo: redirectTo,
      TokenHash: linkToken,
      Token: code,
      Email: user.email,
      NewEmail: user.email_change,
    },
  };
}
