import type { AuthContext } from "./context.ts";
import type { Mail, MailOutcome } from "./mail.ts";
import { createOneTimeToken, type TokenType } from "./one-time-tokens.ts";
import { findUser, type User } from "./users.ts";

/** A mail with a link and a code that a form requests for an address. */
export type TokenMail = "confirmation" | "recovery" | "magic_link";

/**
 * Sends a mail after the response, because the time of the response would reveal whether the account exists.
 * `redirectTo`: the URL that the link leads to in the end; the site chooses it.
 */
export function mailToken(
  context: AuthContext,
  kind: TokenMail,
  email: string,
  redirectTo: string | undefined,
): void {
  const type = kind === "confirmation" ? "confirmation_token" : "recovery_token";
  context.background.run(async () => {
    const user = await findUser(context.db, { email });
    if (!user || (kind === "confirmation" && user.email_confirmed_at)) {
      return;
    }
    if (!(await context.limits.sendMail({ address: email, account: user.id }))) {
      return;
    }
    const token = await context.db.begin(async (tx) => {
      if (kind === "confirmation") {
        await tx`
          update auth.users set confirmation_sent_at = ${new Date(context.now())}
          where id = ${user.id}`;
      }
      return createOneTimeToken(tx, context, { userId: user.id, type, email });
    });
    void send(context, mail(context, kind, email, user, redirectTo, token));
  });
}

/** Begins to send the mails that confirm a pending change of address. Returns what becomes of each. */
export async function mailEmailChange(
  context: AuthContext,
  id: string,
  redirectTo: string | undefined,
): Promise<Promise<MailOutcome | undefined>[]> {
  const user = await findUser(context.db, { id });
  if (
    !user?.email_change ||
    !(await context.limits.sendMail({ address: user.email_change, account: id }))
  ) {
    return [];
  }
  const mails = await composeEmailChange(context, user, redirectTo);
  return mails.map((each) => send(context, each));
}

/** Sends a mail. If it is put off, the request for it does not count: another one sends it again. */
async function send(context: AuthContext, mailed: Mail): Promise<MailOutcome | undefined> {
  const outcome = await context.sendMail(mailed);
  if (outcome === "put off") {
    context.background.run(() => context.limits.forgetRequest(mailed.template, mailed.to));
  }
  return outcome;
}

async function composeEmailChange(
  context: AuthContext,
  user: User,
  redirectTo: string | undefined,
): Promise<Mail[]> {
  const taken = await findUser(context.db, { email: user.email_change });
  const recipients: [TokenType, string][] = taken
    ? []
    : [["email_change_token_new", user.email_change]];
  if (context.confirmEmail) {
    recipients.push(["email_change_token_current", user.email]);
  }
  return context.db.begin(async (tx) => {
    // Both addresses must confirm again. Otherwise two mails to the current one would be enough.
    const pending = await tx`
      update auth.users set email_change_confirm_status = 0
      where id = ${user.id} and email = ${user.email} and email_change = ${user.email_change}`;
    if (pending.count === 0) {
      return [];
    }
    const mails: Mail[] = [];
    for (const [type, email] of recipients) {
      const token = await createOneTimeToken(tx, context, { userId: user.id, type, email });
      mails.push(mail(context, "email_change", email, user, redirectTo, token));
    }
    return mails;
  });
}

function mail(
  { siteUrl }: AuthContext,
  template: Mail["template"],
  to: string,
  user: User,
  redirectTo: string | undefined,
  { linkToken, code }: { linkToken: string; code: string },
): Mail {
  return {
    to,
    template,
    variables: {
      SiteURL: siteUrl,
      RedirectTo: redirectTo ?? siteUrl,
      TokenHash: linkToken,
      Token: code,
      Email: user.email,
      NewEmail: user.email_change,
    },
  };
}
