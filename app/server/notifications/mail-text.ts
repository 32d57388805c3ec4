import { arabicNumber } from "#app/lib/arabic-number.ts";
import { longDate } from "#app/models/date.server.ts";
import { type Block, composeMail } from "#app/server/mail/layout.ts";
import { type Notification, type NotifiedMessage, titleOf } from "./notification.ts";

interface Parts {
  /** Whether the messages are quoted. */
  hasBody: boolean;
  /** Whether a reply reaches the message's sender. */
  isAnswerable: boolean;
}

/** Subject, text and HTML of a notification. The subject has no text of a visitor. */
export function mailTexts(
  { messages, newest }: Notification,
  site: URL,
  { hasBody, isAnswerable }: Parts,
) {
  const isTest = messages === 0;
  const subject = titleOf(messages);
  const left = messages - newest.length;
  const blocks: Block[] = [
    ...sentence(isTest, "وصلك هذا التنبيه، فتنبيهات البريد تعمل."),
    ...newest.map((message) => quoted(message, hasBody)),
    ...sentence(left > 0, `وغيرها في اللوحة: ${arabicNumber(left)}`),
    ...sentence(messages === 1, replyHints[isAnswerable ? "reaches" : "misses"]),
    { kind: "button", link: { text: "لوحة الرسائل", href: new URL("/admin", site).href } },
  ];
  return composeMail({ subject, heading: subject, blocks });
}

const sentence = (isShown: boolean, text: string): Block[] =>
  isShown ? [{ kind: "paragraph", parts: [text] }] : [];

const replyHints = {
  reaches: "الرد على هذه الرسالة يصل إلى صاحبها.",
  misses: "الرد على هذا التنبيه لا يصل إلى صاحب الرسالة. اكتب إلى بريده المذكور أعلاه.",
};

function quoted(message: NotifiedMessage, hasBody: boolean): Block {
  const { name, created_at: at, email, phone } = message;
  const mailbox = email.split("@").map(encodeURIComponent).join("@");
  return {
    kind: "message",
    sender: name,
    time: longDate(at),
    links: [
      { text: email, href: `mailto:${mailbox}` },
      ...(phone === null ? [] : [{ text: `+${phone}`, href: `https://wa.me/${phone}` }]),
    ],
    body: hasBody ? message.message : "",
  };
}
