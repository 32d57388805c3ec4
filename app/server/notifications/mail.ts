import { smtpFault } from "#app/server/mail/smtp-fault.ts";
import type { SendMail } from "#app/server/mail/smtp.ts";
import type { Absences, NotificationFault, SendResult } from "#app/site-contract.server.ts";
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
  absences: Pick<Absences, "list">;
}

export function mailChannel({ send, site, hasBody, absences }: MailChannel): Send {
  return async (notification, signal) => {
    const { to, id, newest } = notification;
    if (to === null) {
      return { isSent: false, fault: "nobody" };
    }
    const sendWith = async (shown: NotifiedMessage[]): Promise<SendResult> => {
      const listed = { ...notification, newest: shown };
      const replyTo = replyToOf(listed);
      const isAnswerable = replyTo !== undefined;
      const parts = { hasBody, isAnswerable, absences: absences.list };
      const texts = mailTexts(listed, site, parts);
      const messageId = `<${id}@${site.hostname}>`;
      try {
        await send({ to, ...(replyTo && { replyTo }), messageId, ...texts, signal });
        return { isSent: true };
      } catch (error) {
        return resultOf(error);
      }
    };
    const result = await sendWith(newest);
    // What one visitor wrote would otherwise hold back the messages of all others: it is in each mail until the
    // owner has sorted it.
    const mayBeText = !result.isSent && result.fault === "refused" && newest.length > 0;
    return mayBeText ? sendWith([]) : result;
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
  responseCode?: number;
}

function resultOf(error: unknown): SendResult {
  const { reply } = smtpFault(error);
  return {
    isSent: false,
    fault: faultOf(error as SmtpError),
    ...(reply !== undefined && { reply }),
  };
}

function faultOf({ code, originalCode = code, responseCode }: SmtpError): NotificationFault {
  if (code === "EAUTH" || code === "ENOAUTH") {
    return "login";
  }
  if (code === "ETLS" || isHandshakeFault(originalCode)) {
    return "certificate";
  }
  if (responseCode !== undefined) {
    return responseCode >= 500 && (code === "EENVELOPE" || code === "EMESSAGE")
      ? "refused"
      : "later";
  }
  return code === "ETIMEDOUT" || code === "EABORT" ? "slow" : "unreachable";
}
