import { shorten } from "#app/lib/shorten.ts";
import { linkOf, newMessagesText, type Notification, titleOf } from "./notification.ts";

// Push services accept 3,993 bytes before encryption (RFC 8291, 4).
const room = { letters: 100, bytes: 1_200, end: "…" };

/** The JSON of a push: Declarative Web Push for Safari; elsewhere our service worker shows it. */
export function pushText(notification: Notification, site: URL, hasBody: boolean): string {
  const shown = {
    ...contentOf(notification, hasBody),
    navigate: linkOf(notification, site),
    lang: "ar",
    dir: "rtl",
    tag: notification.id,
  };
  return JSON.stringify({ web_push: 8030, notification: shown });
}

function contentOf({ messages, newest: [first] }: Notification, hasBody: boolean) {
  if (messages === 1 && first && hasBody) {
    return { title: shorten(first.name, room), body: shorten(first.message, room) };
  }
  return { title: messages === 0 ? titleOf(messages) : newMessagesText(messages) };
}
