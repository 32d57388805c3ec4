import { createTransport } from "nodemailer";
import type { SendResult } from "#app/site-contract.server.ts";
import { smtpFault } from "#supabase/shared/smtp-fault.ts";
import { mailTexts } from "./mail-text.ts";
import {
  isHandshakeFault,
  type Notification,
  type NotifiedMessage,
  type Send,
} from "./notification.ts";

interface MailChannel {
  smtpUrl: string;
  from: string;
  site: URL;
  /** Whether the messages are quoted. The mailbox's provider can read them. */
  hasBody: boolean;
}

// Some servers delay their greeting to deter spammers. The sum is below the database's lease.
const timeouts = {
  dnsTimeout: 10_000,
  connectionTimeout: 20_000,
  greetingTimeout: 20_000,
  socketTimeout: 30_000,
};

export function mailChannel({ smtpUrl, from, site, hasBody }: MailChannel): Send {
  const access = { disableFileAccess: true, disableUrlAccess: true };
  const transport = createTransport({ url: smtpUrl, ...timeouts, ...access });
  return async (notification, signal) => {
    if (notification.to === null) {
      return { outcome: "refused", fault: "nobody" };
    }
    const replyTo = replyToOf(notification);
    try {
      await transport.sendMail({
        from,
        to: { name: "", address: notification.to },
        ...(replyTo && { replyTo }),
        messageId: `<${notification.id}@${site.hostname}>`,
        headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
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

const addressOf = ({ name, email }: NotifiedMessage) => ({
  name: name.replaceAll(/["\\<>\s]+/g, " ").trim(),
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
