import { shorten } from "#app/lib/shorten.ts";
import { newMessagesText, type Notification, onBoard, titleOf } from "./notification.ts";

// Push services accept 3,993 bytes before encryption (RFC 8291, 4).
const room = { letters: 100, bytes: 1_200, end: "…" };

/** The JSON of a push: Declarative Web Push for Safari; elsewhere our service worker shows it. */
export function pushText(notification: Notification, site: URL, hasBody: boolean): string {
  const shown = {
    ...contentOf(notification, site, hasBody),
    lang: "ar",
    dir: "rtl",
    tag: notification.id,
  };
  return JSON.stringify({ web_push: 8030, notification: shown });
}

/** What it says, and where it leads: one message opens. */
function contentOf({ messages, newest: [first] }: Notification, site: URL, hasBody: boolean) {
  if (messages !== 1 || first === undefined) {
    const title = messages === 0 ? titleOf(messages) : newMessagesText(messages);
    return { title, navigate: onBoard(site) };
  }
  const navigate = onBoard(site, first);
  return hasBody
    ? { title: shorten(first.name, room), body: shorten(first.message, room), navigate }
    : { title: newMessagesText(messages), navigate };
}
