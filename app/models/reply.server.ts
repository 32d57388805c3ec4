import { owner } from "#app/content/owner.ts";
import { encodedLength, shorten } from "#app/lib/shorten.ts";
import type { InboxMessage, Reply, ReplyTemplate } from "./inbox.ts";
import { shownPhone } from "./phone.server.ts";

// Some mail programs on Windows cut links near 2,048 characters.
const longestMail = 1899;
const longestQuote = 120;
const longestName = { letters: 40, bytes: 240 };

const newLines = encodeURIComponent("\r\n\r\n");
const quoteMark = encodeURIComponent("> ");

/**
 * Percent-encodes a text for a link, except its letters beyond ASCII: browsers do that (URL Standard,
 * 4.4, "query state"). They would be three quarters of the board, six bytes for an Arabic letter.
 */
const linkText = (text: string) => text.replace(/[^\u0080-\uFFFF]+/g, encodeURIComponent);

/** The same for a ready reply, in which `{name}` stays. */
const linkTemplate = (text: string) => text.split("{name}").map(linkText).join("{name}");

export function encodeTemplate({ title, text }: { title: string; text: string }): ReplyTemplate {
  const plain = text.trim().replaceAll("\r\n", "\n");
  // Line breaks of mailto: are CRLF (RFC 6068, 5).
  const mailed = plain.replaceAll("\n", "\r\n");
  return {
    title,
    text: plain,
    mail: linkTemplate(mailed),
    mailLength: encodedLength(mailed.replaceAll("{name}", "")),
    chat: linkTemplate(plain),
  };
}

let templates: ReplyTemplate[] | undefined;

/** The owner's ready replies. Encoded at the first call, after the start has checked them. */
export const replyTemplates = () => (templates ??= (owner.replies ?? []).map(encodeTemplate));

/** A text for a link, and its length once the browser has encoded all of it. */
interface LinkText {
  text: string;
  length: number;
}

const partOf = (text: string): LinkText => ({ text: linkText(text), length: encodedLength(text) });

let subject: LinkText | undefined;

type Message = Pick<InboxMessage, "name" | "email" | "message" | "phone">;

/** The parts of the reply links: by mail and, if the message has a number, by WhatsApp. */
export function replyTo(
  { name, email, message, phone }: Message,
  ready: readonly ReplyTemplate[] = replyTemplates(),
): Reply {
  const greeted = partOf(shorten(name, longestName));
  const address = encodeURIComponent(email).replace("%40", "@");
  subject ??= partOf(`رد على رسالتك إلى ${shorten(owner.name, longestName)}`);
  const [start, end] = [`mailto:${address}?subject=`, "&body="];
  const bodies = ready.map(({ mail, mailLength }) => {
    const names = mail.split("{name}").length - 1;
    return mailLength + names * greeted.length;
  });
  const fixed = start.length + subject.length + end.length;
  const room = longestMail - fixed - Math.max(0, ...bodies);
  const wholeQuote = quoteOf(message, longestMail);
  const quoteRoom = room - newLines.length;
  const quote = wholeQuote.length <= quoteRoom ? wholeQuote : quoteOf(message, quoteRoom);
  return {
    name: greeted.text,
    // No link for an address that is too long; the card shows the address.
    ...(room > 0 && { mail: start + subject.text + end }),
    quote: quote.text && newLines + quote.text,
    ...(phone && {
      number: shownPhone(phone),
      // The quote comes first, as in WhatsApp's own replies.
      chat: `https://wa.me/${phone}?text=${wholeQuote.text && wholeQuote.text + encodeURIComponent("\n\n")}`,
    }),
  };
}

function quoteOf(message: string, bytes: number): LinkText {
  const room = { letters: longestQuote, bytes: bytes - quoteMark.length, end: "…" };
  const text = shorten(message, room);
  return partOf(text && `> ${text}`);
}
