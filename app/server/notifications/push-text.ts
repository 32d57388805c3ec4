import { shorten } from "#app/lib/shorten.ts";
import { newMessagesText, type Notification, titleOf } from "./notification.ts";

// Push services accept 3,993 bytes before encryption (RFC 8291, 4).
const room = { letters: 100, bytes: 1_200, end: "…" };

/** The JSON of a push: Declarative Web Push for Safari; elsewhere our service worker shows it. */
export function pushText(notification: Notification, site: URL, hasBody: boolean): string {
  const shown = {
    ...wordsOf(notification, hasBody),
    lang: "ar",
    dir: "rtl",
    navigate: new URL("/admin", site).href,
    tag: notification.id,
  };
  return JSON.stringify({ web_push: 8030, notification: shown });
}

function wordsOf({ messages, newest: [first] }: Notification, hasBody: boolean) {
  if (messages === 0) {
    return { title: titleOf(messages) };
  }
  return hasBody && messages === 1 && first
    ? { title: shorten(first.name, room), body: shorten(first.message, room) }
    : { title: newMessagesText(messages) };
}
