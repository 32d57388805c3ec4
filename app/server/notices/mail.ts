import { createTransport } from "nodemailer";
import type { Sending } from "#app/lib/notices.ts";
import { smtpFault } from "#supabase/shared/smtp-fault.ts";
import { mailTexts } from "./mail-text.ts";
import { isHandshakeFault, type Notice, type NoticedMessage, type Send } from "./notice.ts";

interface MailWay {
  smtpUrl: string;
  from: string;
  site: URL;
  /** Whether the messages are quoted: who keeps the mailbox reads along. */
  hasBody: boolean;
}

// Servers that delay spammers greet late. All together ends before the database's lease does.
const timeouts = {
  dnsTimeout: 10_000,
  connectionTimeout: 20_000,
  greetingTimeout: 20_000,
  socketTimeout: 30_000,
};

export function mailWay({ smtpUrl, from, site, hasBody }: MailWay): Send {
  const access = { disableFileAccess: true, disableUrlAccess: true };
  const transport = createTransport({ url: smtpUrl, ...timeouts, ...access });
  return async (notice, signal) => {
    if (notice.to === null) {
      return { outcome: "refused", fault: "nobody" };
    }
    const replyTo = replyToOf(notice);
    try {
      await transport.sendMail({
        from,
        to: { name: "", address: notice.to },
        ...(replyTo && { replyTo }),
        messageId: `<${notice.id}@${site.hostname}>`,
        headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
        ...mailTexts(notice, site, { hasBody, isAnswerable: replyTo !== undefined }),
        signal,
      });
      return { outcome: "sent" };
    } catch (error) {
      return sendingOf(error);
    }
  };
}

/** Answering the notice of one message answers its sender. */
function replyToOf({ messages, newest: [first] }: Notice) {
  // Without SMTPUTF8 a server may refuse what is not ASCII before the @ (RFC 6531).
  const isPlain = first !== undefined && /^[!-~]+@/.test(first.email);
  return messages === 1 && isPlain ? addressOf(first) : undefined;
}

const addressOf = ({ name, email }: NoticedMessage) => ({
  name: name.replaceAll(/["\\<>\s]+/g, " ").trim(),
  address: email,
});

interface SmtpError extends Error {
  code?: string;
  /** What Node calls it. */
  originalCode?: string;
  syscall?: string;
  responseCode?: number;
}

/** Which of the errors of nodemailer leave open whether the mail arrived: without an answer. */
function sendingOf(error: unknown): Sending {
  const { code, originalCode = code, syscall, responseCode } = error as SmtpError;
  const { reply } = smtpFault(error);
  const told = reply === undefined ? {} : { reply };
  if (code === "EAUTH" || code === "ENOAUTH") {
    return { outcome: "retry", fault: "login", ...told };
  }
  if (code === "ETLS" || isHandshakeFault(originalCode)) {
    return { outcome: "retry", fault: "certificate", ...told };
  }
  if (responseCode !== undefined) {
    const isFinal = responseCode >= 500 && (code === "EENVELOPE" || code === "EMESSAGE");
    return {
      outcome: isFinal ? "refused" : "retry",
      fault: isFinal ? "refused" : "later",
      ...told,
    };
  }
  if (code === "EDNS" || syscall === "connect") {
    return { outcome: "retry", fault: "unreachable" };
  }
  const isSlow = code === "ETIMEDOUT" || code === "EABORT";
  return { outcome: "unknown", fault: isSlow ? "slow" : "unreachable" };
}
