import { Agent as PlainAgent } from "node:http";
import { Agent } from "node:https";
import { isLoopback, lookupOnly } from "./lookup.ts";
import { linkOf, type Notification, type Send, titleOf } from "./notification.ts";
import { post, resultOfError, resultOfStatus } from "./post.ts";

interface WebhookChannel {
  /** HTTPS, or HTTP to this machine (settings.ts). */
  target: URL;
  site: URL;
  /** Whether the text quotes the newest message. Anyone who guesses an ntfy topic can read it. */
  hasBody: boolean;
}

const longestQuote = 300;

export function webhookChannel({ target, site, hasBody }: WebhookChannel): Send {
  // A resolver may map "localhost" elsewhere: HTTP must not leave this machine.
  const agent =
    target.protocol === "http:" ? new PlainAgent({ lookup: lookupOnly(isLoopback) }) : new Agent();
  return async (notification, signal) => {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": notification.id };
    const url = linkOf(notification, site);
    const body = JSON.stringify({ text: textOf(notification, hasBody), url });
    try {
      return resultOfStatus(await post({ target, headers, body, agent, signal }));
    } catch (error) {
      return resultOfError(error);
    }
  };
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
