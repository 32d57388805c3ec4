import { smtpFault } from "#app/server/mail/smtp-fault.ts";
import type { SendMail } from "#app/server/mail/smtp.ts";
import type { SendResult } from "#app/site-contract.server.ts";
import { mailTexts } from "./mail-text.ts";
import {
  isHandshakeFault,
  type Notification,
  type NotifiedMessage,
  type Send,
} from "./notification.ts";

interface MailChannel {
  send: SendMail;
  site: URL;
  /** Whether the messages are quoted. The mailbox's provider can read them. */
  hasBody: boolean;
}

export function mailChannel({ send, site, hasBody }: MailChannel): Send {
  return async (notification, signal) => {
    if (notification.to === null) {
      return { outcome: "refused", fault: "nobody" };
    }
    const replyTo = replyToOf(notification);
    try {
      await send({
        to: notification.to,
        ...(replyTo && { replyTo }),
        messageId: `<${notification.id}@${site.hostname}>`,
        ...mailTexts(notification, site, { hasBody, isAnswerable: replyTo !== undefined }),
        signal,
      });
      return { outcome: "sent" };
    } catch (error) {
      return resultOf(error);
    }
  };
}

/** A notification of one message has its sender as Reply-To. */
function replyToOf({ messages, newest: [first] }: Notification) {
  // A server without SMTPUTF8 may refuse a local part that is not ASCII (RFC 6531).
  const isPlain = first !== undefined && /^[!-~]+@/.test(first.email);
  return messages === 1 && isPlain ? addressOf(first) : undefined;
}

/** Readers decode an encoded-word (RFC 2047) in a quoted name, too: a space breaks its mark. */
const addressOf = ({ name, email }: NotifiedMessage) => ({
  name: name
    .replaceAll(/["\\<>\s]+/g, " ")
    .replaceAll("=?", "= ?")
    .trim(),
  address: email,
});

interface SmtpError extends Error {
  code?: string;
  /** Node's error code. */
  originalCode?: string;
  syscall?: string;
  responseCode?: number;
}

/** The outcome is "unknown" when the server did not answer: the mail may have arrived. */
function resultOf(error: unknown): SendResult {
  const { code, originalCode = code, syscall, responseCode } = error as SmtpError;
  const { reply } = smtpFault(error);
  const withReply = reply === undefined ? {} : { reply };
  if (code === "EAUTH" || code === "ENOAUTH") {
    return { outcome: "retry", fault: "login", ...withReply };
  }
  if (code === "ETLS" || isHandshakeFault(originalCode)) {
    return { outcome: "retry", fault: "certificate", ...withReply };
  }
  if (responseCode !== undefined) {
    const isFinal = responseCode >= 500 && (code === "EENVELOPE" || code === "EMESSAGE");
    return {
      outcome: isFinal ? "refused" : "retry",
      fault: isFinal ? "refused" : "later",
      ...withReply,
    };
  }
  if (code === "EDNS" || syscall === "connect") {
    return { outcome: "retry", fault: "unreachable" };
  }
  const isSlow = code === "ETIMEDOUT" || code === "EABORT";
  return { outcome: "unknown", fault: isSlow ? "slow" : "unreachable" };
}
