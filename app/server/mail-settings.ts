import addressparser from "nodemailer/lib/addressparser";
import { z } from "zod";
import { asciiDomain, isAccountEmail } from "#app/lib/email.ts";

const mailServerFault =
  "must be an address such as smtps://user:password@mail.example, where # / and ? in the password are written %23 %2F and %3F";

/** There is no @ after the host: it would mean that the password has one of these signs. */
export const mailServerSchema = z
  .url({ protocol: /^smtps?$/, error: mailServerFault })
  .regex(/:\/\/[^/?#]*[^@]*$/, mailServerFault);

/** The From header, which the mail server gets as it is: one address, with or without a name. */
export const senderSchema = z.string().refine((text) => {
  const [sender, ...others] = addressparser(text, { flatten: true });
  return others.length === 0 && isAccountEmail(asciiDomain(sender?.address ?? ""));
}, "must be one address: site@your.site or Name <site@your.site>");
