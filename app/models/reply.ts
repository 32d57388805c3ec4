import { encodedLength, shorten } from "#app/lib/shorten.ts";
import type { InboxMessage } from "./inbox.ts";

// Some mail programs on Windows cut links near 2,048 characters.
const longestMail = 1899;
const longestQuote = 120;
const longestName = { letters: 40, bytes: 240 };

// Line breaks of mailto: are CRLF (RFC 6068, 5).
const newLines = "\r\n\r\n";

type Message = Pick<InboxMessage, "name" | "email" | "message" | "phone">;

/**
 * The links that open a reply with the start of the message: by WhatsApp if it has a number, and by
 * mail unless its address is too long for a link.
 * @param ownerName for the mail's subject
 * @param template a ready reply, in which `{name}` becomes the sender's name
 */
export function replyLinks(message: Message, ownerName: string, template = "") {
  const text = template
    .trim()
    .replaceAll("\r\n", "\n")
    .replaceAll("{name}", () => shorten(message.name, longestName));
  return { chat: chatLink(message, text), mail: mailLink(message, ownerName, text) };
}

function chatLink({ phone, message }: Message, text: string): string | undefined {
  // The quote comes first, as in WhatsApp's own replies.
  const quote = quoteOf(message, longestMail);
  return phone
    ? `https://wa.me/${phone}?text=${encodeURIComponent(quote && `${quote}\n\n`)}${encodeURIComponent(text)}`
    : undefined;
}

function mailLink({ email, message }: Message, ownerName: string, text: string) {
  const address = encodeURIComponent(email).replace("%40", "@");
  const subject = encodeURIComponent(`رد على رسالتك إلى ${shorten(ownerName, longestName)}`);
  const body = encodeURIComponent(text.replaceAll("\n", "\r\n"));
  const start = `mailto:${address}?subject=${subject}&body=${body}`;
  const room = longestMail - start.length;
  const quote = quoteOf(message, room - encodedLength(newLines));
  return room < 0 ? undefined : start + encodeURIComponent(quote && newLines + quote);
}

/** The start of a message as a quote, of at most so many bytes once it is encoded. */
function quoteOf(message: string, bytes: number): string {
  const mark = "> ";
  const room = { letters: longestQuote, bytes: bytes - encodedLength(mark), end: "…" };
  const text = shorten(message, room);
  return text && mark + text;
}
