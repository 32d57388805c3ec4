import { owner } from "#app/content/owner.ts";
import { shorten } from "#app/lib/shorten.ts";
import type { InboxMessage, Reply, ReplyTemplate } from "./inbox.ts";
import { shownPhone } from "./phone.server.ts";

// Some mail programs on Windows cut links near 2,048 characters.
const longestMail = 1899;
const longestQuote = 120;
const longestName = { letters: 40, bytes: 240 };

const newLines = encodeURIComponent("\r\n\r\n");
const quoteMark = encodeURIComponent("> ");

/** Percent-encodes a text except `{name}`. Line breaks of mailto: are CRLF (RFC 6068, 5). */
function encoded(text: string, lineBreak: string): string {
  const parts = text.trim().replace(/\r?\n/g, lineBreak).split("{name}");
  return parts.map((part) => encodeURIComponent(part)).join("{name}");
}

export const encodeTemplate = ({
  title,
  text,
}: {
  title: string;
  text: string;
}): ReplyTemplate => ({
  title,
  text: text.trim(),
  mail: encoded(text, "\r\n"),
  chat: encoded(text, "\n"),
});

let templates: ReplyTemplate[] | undefined;

/** The owner's ready replies. Encoded at the first call, after the start has checked them. */
export const replyTemplates = () => (templates ??= (owner.replies ?? []).map(encodeTemplate));

let subject: string | undefined;

type Message = Pick<InboxMessage, "name" | "email" | "message" | "phone">;

/** The parts of the reply links: by mail and, if the message has a number, by WhatsApp. */
export function replyTo(
  { name, email, message, phone }: Message,
  ready: readonly ReplyTemplate[] = replyTemplates(),
): Reply {
  const greeted = encodeURIComponent(shorten(name, longestName));
  const address = encodeURIComponent(email).replace("%40", "@");
  subject ??= encodeURIComponent(`رد على رسالتك إلى ${shorten(owner.name, longestName)}`);
  const mail = `mailto:${address}?subject=${subject}&body=`;
  const bodies = ready.map((template) => template.mail.replaceAll("{name}", greeted).length);
  const room = longestMail - mail.length - Math.max(0, ...bodies);
  const wholeQuote = quoteOf(message, longestMail);
  const quoteRoom = room - newLines.length;
  const quote = wholeQuote.length <= quoteRoom ? wholeQuote : quoteOf(message, quoteRoom);
  return {
    name: greeted,
    // No link for an address that is too long; the card shows the address.
    ...(room > 0 && { mail }),
    quote: quote && newLines + quote,
    ...(phone && {
      number: shownPhone(phone),
      // The quote comes first, as in WhatsApp's own replies.
      chat: `https://wa.me/${phone}?text=${wholeQuote && wholeQuote + encodeURIComponent("\n\n")}`,
    }),
  };
}

function quoteOf(message: string, bytes: number): string {
  const room = { letters: longestQuote, bytes: bytes - quoteMark.length, end: "…" };
  const text = shorten(message, room);
  return text && quoteMark + encodeURIComponent(text);
}
