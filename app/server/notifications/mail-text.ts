import { arabicNumber } from "#app/lib/arabic-number.ts";
import { longDate } from "#app/models/date.server.ts";
import { newMessagesText } from "./new-messages-text.ts";
import type { Notice, NoticedMessage } from "./notification.ts";

interface Parts {
  /** Whether the messages are quoted. */
  hasBody: boolean;
  /** Whether a reply reaches the message's sender. */
  isAnswerable: boolean;
}

/** Subject, text and HTML of a notice. The subject has no text of a visitor. */
export function mailTexts(
  { messages, newest }: Notice,
  site: URL,
  { hasBody, isAnswerable }: Parts,
) {
  const board = new URL("/admin", site).href;
  const isTest = messages === 0;
  const subject = isTest ? "تنبيه تجريبي من موقعك" : `${newMessagesText(messages)} من موقعك`;
  const lead = isTest ? "وصلك هذا التنبيه، فتنبيهات البريد تعمل." : undefined;
  const left = messages - newest.length;
  const rest = left > 0 ? `وغيرها في اللوحة: ${arabicNumber(left)}` : undefined;
  const hint = messages === 1 ? replyHints[isAnswerable ? "reaches" : "misses"] : undefined;
  const text = [
    subject,
    lead,
    ...newest.map((message) => textOf(message, hasBody)),
    rest,
    hint,
    `لوحة الرسائل: ${board}`,
  ];
  const html = [
    ...(lead === undefined ? [] : [paragraph(lead)]),
    ...newest.map((message) => htmlOf(message, hasBody)),
    ...[rest, hint].flatMap((line) => (line === undefined ? [] : [paragraph(line)])),
    `<p><a href="${escapeHtml(board)}">لوحة الرسائل</a></p>`,
  ];
  return {
    subject,
    text: `${text.filter((line) => line !== undefined).join("\n\n")}\n`,
    html: `<!doctype html><html lang="ar" dir="rtl"><head><meta charset="utf-8"><title>${subject}</title></head><body style="font-family:Tahoma,Arial,sans-serif;line-height:1.7;color:#1c1917"><h1 style="font-size:20px">${subject}</h1>${html.join("\n")}</body></html>`,
  };
}

const replyHints = {
  reaches: "الرد على هذه الرسالة يصل إلى صاحبها.",
  misses: "الرد على هذا التنبيه لا يصل إلى صاحب الرسالة. اكتب إلى بريده المذكور أعلاه.",
};

const headingOf = ({ name, created_at: at }: NoticedMessage) => `${name} · ${longDate(at)}`;

function textOf(message: NoticedMessage, hasBody: boolean): string {
  const phone = message.phone === null ? [] : [`+${message.phone}`];
  const body = hasBody ? [message.message] : [];
  return [headingOf(message), message.email, ...phone, ...body].join("\n");
}

function htmlOf(message: NoticedMessage, hasBody: boolean): string {
  const { email, phone } = message;
  const target = email.split("@").map(encodeURIComponent).join("@");
  const quote = hasBody ? message.message.split(/\n+/).filter((line) => line.trim() !== "") : [];
  return [
    `<p dir="auto" style="margin-bottom:0"><b>${escapeHtml(headingOf(message))}</b></p>`,
    `<p style="margin:0">${link(`mailto:${target}`, email)}</p>`,
    ...(phone === null
      ? []
      : [`<p style="margin:0">${link(`https://wa.me/${phone}`, `+${phone}`)}</p>`]),
    ...quote.map(paragraph),
    "<hr>",
  ].join("");
}

const link = (href: string, text: string) =>
  `<a href="${escapeHtml(href)}"><bdi dir="ltr">${escapeHtml(text)}</bdi></a>`;

const paragraph = (text: string) => `<p dir="auto">${escapeHtml(text)}</p>`;

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (char) => entities[char] ?? char);
