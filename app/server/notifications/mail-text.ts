import { owner } from "#app/content/owner.ts";
import { counted, type PluralForms } from "#app/lib/arabic-plural.ts";
import type { Absence } from "#app/lib/working-time.ts";
import { longDate } from "#app/models/date.server.ts";
import { extrasOf } from "#app/models/message-fields.server.ts";
import { shownPhone } from "#app/models/phone.server.ts";
import { ownersPromise } from "#app/models/promise.server.ts";
import { replyLinks } from "#app/models/reply.ts";
import { type Block, composeMail, type Link } from "#app/server/mail/layout.ts";
import {
  newMessagesText,
  type Notification,
  type NotifiedMessage,
  onBoard,
  titleOf,
} from "./notification.ts";

// Gmail cuts the HTML of a mail at 102 kB. The longest message takes less than 40 kB.
const room = 90_000;

interface Parts {
  /** Whether the messages are quoted. */
  hasBody: boolean;
  /** Whether a reply reaches the message's sender. */
  isAnswerable: boolean;
  /** The owner's days off, which the deadline skips. */
  absences: readonly Absence[];
}

const itWorks = "وصلك هذا التنبيه، فتنبيهات البريد تعمل.";
const textRefused = "لم يقبل خادم البريد نصها، فاقرأها في لوحة الرسائل.";

/** Subject, text and HTML of a notification. The subject has no text of a visitor. Without `newest`, nothing else has. */
export function mailTexts(
  { messages, newest }: Notification,
  site: URL,
  { hasBody, ...parts }: Parts,
) {
  const listed = newest.map((message) => (hasBody ? message : { ...message, message: "" }));
  const [first] = listed;
  const subject = titleOf(messages);
  if (first === undefined) {
    const text = messages === 0 ? itWorks : textRefused;
    const blocks = [sentence(text), boardButton(site)];
    return composeMail({ subject, heading: subject, blocks });
  }
  const heading = newMessagesText(messages);
  if (messages === 1) {
    return composeMail({ subject, heading, blocks: alone(first, site, parts) });
  }
  const compose = (shown: NotifiedMessage[]) =>
    composeMail({ subject, heading, blocks: amongOthers(shown, messages - shown.length, site) });
  const sizeOf = (shown: NotifiedMessage[]) => Buffer.byteLength(compose(shown).html);
  const frame = sizeOf([]);
  let size = frame;
  const tooMany = listed.findIndex((message) => {
    size += sizeOf([message]) - frame;
    return size > room;
  });
  return compose(tooMany === -1 ? listed : listed.slice(0, tooMany));
}

const sentence = (text: string): Block => ({ kind: "paragraph", parts: [text] });

const address = (text: string): Block => ({ kind: "small", parts: [{ address: text }] });

const boardButton = (site: URL): Block => ({
  kind: "buttons",
  links: [{ text: "لوحة الرسائل", href: onBoard(site) }],
});

const replyHints = {
  reaches: "الرد على هذا التنبيه يصل إلى صاحب الرسالة أيضًا.",
  misses: "الرد على هذا التنبيه لا يصل إلى صاحب الرسالة. اكتب إلى بريده المذكور أعلاه.",
};

function alone(
  message: NotifiedMessage,
  site: URL,
  { isAnswerable, absences }: Omit<Parts, "hasBody">,
): Block[] {
  const { email, phone } = message;
  const links = answers(message);
  const deadline = ownersPromise(absences)?.deadlineOf(message);
  return [
    quoted(message),
    ...(deadline ? [{ kind: "due" as const, parts: [`وعدتَ بالرد قبل: ${deadline}`] }] : []),
    ...(links.length > 0 ? [{ kind: "buttons" as const, links }] : []),
    ...(phone ? [address(shownPhone(phone))] : []),
    address(email),
    ...extrasOf(message).map(({ label, text }): Block => ({
      kind: "small",
      parts: [`${label}: ${text}`],
    })),
    { kind: "rule" },
    { kind: "links", links: [{ text: "فتح الرسالة في اللوحة", href: onBoard(site, message) }] },
    { kind: "small", parts: [replyHints[isAnswerable ? "reaches" : "misses"]] },
  ];
}

const othersForms: PluralForms = {
  zero: "لا رسائل أخرى",
  one: "رسالة أخرى",
  two: "رسالتان أخريان",
  few: "رسائل أخرى",
  many: "رسالة أخرى",
  other: "رسالة أخرى",
};

function amongOthers(messages: NotifiedMessage[], left: number, site: URL): Block[] {
  return [
    ...messages.flatMap((message): Block[] => [
      quoted(message),
      {
        kind: "links",
        links: [...answers(message), { text: "فتحها في اللوحة", href: onBoard(site, message) }],
      },
      { kind: "rule" },
    ]),
    ...(left > 0 ? [sentence(`وفي اللوحة ${counted(left, othersForms)}.`)] : []),
    boardButton(site),
  ];
}

const quoted = ({ name, created_at: at, message }: NotifiedMessage): Block => ({
  kind: "message",
  sender: name,
  time: longDate(at),
  body: message,
});

/** The ways to answer a message, the best first. */
function answers(message: NotifiedMessage): Link[] {
  const { chat, mail } = replyLinks(message, owner.name);
  return [
    ...(chat ? [{ text: "ردّ بواتساب", href: chat, plain: withoutText(chat) }] : []),
    ...(mail ? [{ text: "ردّ بالبريد", href: mail, plain: withoutText(mail) }] : []),
  ];
}

/** A link without its prepared reply, in which an Arabic letter takes six characters. */
const withoutText = (link: string) => link.replace(/\?.*/, "");
