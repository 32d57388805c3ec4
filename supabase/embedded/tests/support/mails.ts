import { setTimeout as sleep } from "node:timers/promises";
import type { Mail } from "#embedded/auth/mail.ts";
import { type Host, newClient, newEmail, password, present } from "./accounts.ts";

/** A site whose mails are kept in a list. */
export interface MailList {
  mails: Mail[];
}

/** The mails to an address, oldest first. */
export const mailsTo = ({ mails }: MailList, email: string) =>
  mails.filter(({ to }) => to === email);

const patience = 30_000;

/** Waits until an address has `count` mails. Returns the code and the link's token of that one. */
export async function mailNumber(site: MailList, email: string, count: number) {
  for (const until = Date.now() + patience; Date.now() < until; await sleep(20)) {
    const mail = mailsTo(site, email)[count - 1];
    if (mail) {
      return { code: mail.variables.Token, tokenHash: mail.variables.TokenHash };
    }
  }
  throw new Error(`Mail ${count} to ${email} did not arrive`);
}

/** Signs up an account and confirms it by mail. Returns it with its session. */
export async function confirmedAccount(site: Host & MailList) {
  const client = newClient(site);
  const email = newEmail();
  await client.auth.signUp({ email, password });
  const { tokenHash } = await mailNumber(site, email, 1);
  const { data, error } = await client.auth.verifyOtp({ token_hash: tokenHash, type: "signup" });
  if (error) {
    throw error;
  }
  return { client, email, ...present(data) };
}
