import { Agent as PlainAgent } from "node:http";
import { Agent } from "node:https";
import { newMessagesText } from "#app/lib/notices.ts";
import { isLoopback, lookupOnly } from "./lookup.ts";
import type { Notice, Send } from "./notice.ts";
import { post, sendingOfError, sendingOfStatus } from "./post.ts";

interface WebhookWay {
  /** https, or http to this machine (settings.ts). */
  target: URL;
  site: URL;
  /** Whether the text quotes the newest message: a topic of ntfy is open to who guesses it. */
  hasBody: boolean;
}

const longestQuote = 300;

export function webhookWay({ target, site, hasBody }: WebhookWay): Send {
  const url = new URL("/admin", site).href;
  // Whatever "localhost" means to the machine's resolver, nothing leaves the machine unencrypted.
  const agent =
    target.protocol === "http:" ? new PlainAgent({ lookup: lookupOnly(isLoopback) }) : new Agent();
  return async (notice, signal) => {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": notice.id };
    const body = JSON.stringify({ text: textOf(notice, hasBody), url });
    try {
      return sendingOfStatus(await post({ target, headers, body, agent, signal }));
    } catch (error) {
      return sendingOfError(error);
    }
  };
}

function textOf({ messages, newest: [first] }: Notice, hasBody: boolean): string {
  if (messages === 0) {
    return "تنبيه تجريبي من موقعك";
  }
  const told = `${newMessagesText(messages)} من موقعك`;
  return hasBody && first
    ? `${told}\n${inChat(`${first.name}: ${first.message.slice(0, longestQuote).toWellFormed()}`)}`
    : told;
}

/**
 * Without mentions and hidden links in Slack, Mattermost and Discord. Escapes differ from one to the
 * other, and ntfy has none. So a zero-width space parts the marks, and "<" gives way: Slack reads
 * all that follows it.
 */
function inChat(text: string): string {
  return text
    .replaceAll("<", "‹")
    .replaceAll(">", "›")
    .replaceAll(/[@\]]|&(?=#?\w+;)/g, "$&\u200B");
}
