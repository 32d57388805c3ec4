import type { Mail, MailTemplate } from "#embedded/mail/mailer.ts";
import type { AuthContext } from "./context.ts";
import { AuthError } from "./errors.ts";
import { takeRecipientLimits } from "./mail-limits.ts";
import { createOneTimeToken, type TokenType } from "./one-time-tokens.ts";
import { type Challenge, startFlow } from "./pkce.ts";
import type { AuthMethod } from "./sessions.ts";
import { findUser, type User } from "./users.ts";

/** Where the link of a mail leads, and the client that asked for it if it uses PKCE. */
export interface LinkTarget {
  redirectTo: string;
  challenge: Challenge | undefined;
}

/** Sends `kind` after the response, so that its time does not reveal whether the account exists. */
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
  const made = await context.db.begin(async (tx) => {
    if (target.challenge) {
      await startFlow(tx, context, user.id, method, target.challenge);
    }
    await tx`update auth.users set ${tx({ [sent]: now })} where id = ${user.id}`;
    const pkce = target.challenge !== undefined;
    return createOneTimeToken(tx, context, { userId: user.id, type, email: user.email, pkce });
  });
  return [mail(context, kind, user.email, user, target, made)];
}

/** Sends the confirmation mails of the pending change of address, after the response. */
export function mailEmailChange(
  context: AuthContext,
  account: { id: string },
  target: LinkTarget,
): void {
  context.mailer.send(() => composeEmailChange(context, account, target));
}

/** The same, for the account of an address. The answer must not show a limit that was reached. */
export function repeatEmailChange(context: AuthContext, email: string, target: LinkTarget): void {
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
    // New mails ask both addresses again. Otherwise two mails to the present one would be enough.
    const asked = await tx`
        update auth.users set email_change_confirm_status = 0
        where id = ${user.id} and email = ${user.email} and email_change = ${user.email_change}`;
    if (asked.count === 0) {
      return [];
    }
    if (target.challenge) {
      await startFlow(tx, context, user.id, "email_change", target.challenge);
    }
    const mails: Mail[] = [];
    for (const [type, email] of recipients) {
      const pkce = target.challenge !== undefined;
      const made = await createOneTimeToken(tx, context, { userId: user.id, type, email, pkce });
      mails.push(mail(context, "email_change", email, user, target, made));
    }
    return mails;
  });
}

/** Sends the `nonce` for a new password, after the response. */
export function mailReauthentication(context: AuthContext, user: User): void {
  context.mailer.send(async () => {
    const made = await context.db.begin((tx) =>
      createOneTimeToken(tx, context, {
        userId: user.id,
        type: "reauthentication_token",
        email: user.email,
        pkce: false,
      }),
    );
    const target = { redirectTo: context.siteUrl, challenge: undefined };
    return [mail(context, "reauthentication", user.email, user, target, made)];
  });
}

/** Reports to the account that too many wrong codes have locked its factors. */
export function mailLock(context: AuthContext, { email }: User): void {
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
