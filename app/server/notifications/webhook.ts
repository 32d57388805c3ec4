import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import type { SendResult } from "#app/site-contract.server.ts";
import { isHandshakeFault, linkOf, type Notification, type Send, titleOf } from "./notification.ts";

interface WebhookChannel {
  /** HTTPS, or HTTP to this machine (settings.ts). */
  target: URL;
  site: URL;
  /** Whether the text quotes the newest message. Anyone who guesses an ntfy topic can read it. */
  hasBody: boolean;
}

const timeoutMs = 5_000;
const longestQuote = 300;

export function webhookChannel({ target, site, hasBody }: WebhookChannel): Send {
  return async (notification, signal) => {
    const url = linkOf(notification, site);
    // Chats show the text alone.
    const body = JSON.stringify({ text: `${textOf(notification, hasBody)}\n${url}`, url });
    try {
      return resultOfStatus(await post(target, body, notification.id, signal));
    } catch (error) {
      return resultOfError(error);
    }
  };
}

/** Returns the status. Follows no redirect, reads no body, rejects after five seconds. */
function post(target: URL, body: string, id: string, signal: AbortSignal): Promise<number> {
  const send = target.protocol === "http:" ? requestPlain : requestSecure;
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sent = send(target, {
    method: "POST",
    // This is a new connection, because one that was kept may be closing at this moment.
    agent: false,
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    headers: {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
      "Idempotency-Key": id,
    },
  });
  sent.once("response", (response) => {
    response.on("error", () => undefined).destroy();
    resolve(response.statusCode ?? 0);
  });
  sent.on("error", reject).end(body);
  return promise;
}

function resultOfStatus(status: number): SendResult {
  if (status >= 200 && status < 300) {
    return { isSent: true };
  }
  const isLater = status >= 500 || status === 408 || status === 425 || status === 429;
  const isRedirect = status >= 300 && status < 400;
  const fault = isRedirect ? "redirect" : isLater ? "later" : "refused";
  return { isSent: false, fault, reply: String(status) };
}

function resultOfError(error: unknown): SendResult {
  const { name, code } = error as NodeJS.ErrnoException;
  if (isHandshakeFault(code)) {
    return { isSent: false, fault: "certificate" };
  }
  return { isSent: false, fault: name === "AbortError" ? "slow" : "unreachable" };
}

function textOf({ messages, newest: [first] }: Notification, hasBody: boolean): string {
  const title = titleOf(messages);
  return hasBody && first
    ? `${title}\n${inChat(`${first.name}: ${first.message.slice(0, longestQuote).toWellFormed()}`)}`
    : title;
}

/**
 * Disables mentions and hidden links in Slack, Mattermost and Discord. Their escapes differ, and
 * ntfy has none. So a zero-width space breaks the marks, and "<" and ">" are replaced.
 */
function inChat(text: string): string {
  return text
    .replaceAll("<", "‹")
    .replaceAll(">", "›")
    .replaceAll(/[@\]]|&(?=#?\w+;)/g, "$&\u200B");
}
