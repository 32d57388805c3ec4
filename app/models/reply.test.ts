import * as fc from "fast-check";
import { expect, test } from "vitest";
import { owner } from "#app/content/owner.ts";
import { plainText } from "#app/lib/plain-text.ts";
import { anyCharacter } from "#tests/support/any-character.ts";
import { replyLinks } from "./reply.ts";

type Message = Parameters<typeof replyLinks>[0];

const message = {
  name: "نورة السالم",
  email: "noura@example.com",
  message: "أريد صفحة هبوط لمتجري.\nمتى نبدأ؟",
  phone: "966501234567",
};
const linksTo = (change: Partial<Message>, template = "") =>
  replyLinks({ ...message, ...change }, owner.name, template);

/** As a mail program reads a link (RFC 6068). */
function readMail(link: string) {
  const [, to = "", query = ""] = /^mailto:([^?]*)\?(.*)$/.exec(link) ?? [];
  const headers = query.split("&").map((pair) => {
    const [name = "", value = "", ...rest] = pair.split("=");
    expect(rest).toEqual([]);
    return [name, decodeURIComponent(value)];
  });
  expect(headers.map(([name]) => name)).toEqual(["subject", "body"]);
  const { subject = "", body = "" } = Object.fromEntries(headers);
  return { to: to.split(",").map(decodeURIComponent), subject, body };
}

test("an answer by mail has a subject, and the message in short below a free line", () => {
  expect(readMail(linksTo({}).mail ?? "")).toEqual({
    to: ["noura@example.com"],
    subject: `رد على رسالتك إلى ${owner.name}`,
    body: "\r\n\r\n> أريد صفحة هبوط لمتجري. متى نبدأ؟",
  });
});

test("a ready reply stands in front, with the name as it is written", () => {
  const name = "نورة $& السالم";
  const { mail = "", chat = "" } = linksTo({ name }, " أهلًا {name}،\r\nشكرًا {name}.\n");
  expect(readMail(mail).body).toBe(
    "أهلًا نورة $& السالم،\r\nشكرًا نورة $& السالم.\r\n\r\n> أريد صفحة هبوط لمتجري. متى نبدأ؟",
  );
  const { origin, pathname, searchParams } = new URL(chat);
  expect([origin, pathname]).toEqual(["https://wa.me", "/966501234567"]);
  expect(Object.fromEntries(searchParams)).toEqual({
    text: "> أريد صفحة هبوط لمتجري. متى نبدأ؟\n\nأهلًا نورة $& السالم،\nشكرًا نورة $& السالم.",
  });
});

test("a message without a number has no WhatsApp", () => {
  expect(linksTo({ phone: null }).chat).toBeUndefined();
});

test.each([
  "a?cc=victim@example.com",
  "a&bcc=victim@example.com",
  "a%2Cvictim@example.com",
  "a,victim@example.com",
  "a#b@example.com",
  "محمد@مثال.السعودية",
])("the address %s adds nobody and no header", (email) => {
  const { to, subject } = readMail(linksTo({ email }).mail ?? "");
  expect(to).toEqual([email]);
  expect(subject).toBe(`رد على رسالتك إلى ${owner.name}`);
});

test("an address that fills the link has no link beside its own", () => {
  const email = `${"漢".repeat(60)}@${"字".repeat(60)}.${"字".repeat(60)}.${"字".repeat(60)}`;
  expect(linksTo({ email }).mail).toBeUndefined();
});

test("no address makes a link that a mail program cuts", () => {
  const mails = Array.from(
    { length: 250 },
    (_, count) => linksTo({ email: `${"漢".repeat(count + 1)}@example.com` }).mail,
  );
  expect(mails.filter((mail) => mail !== undefined && mail.length >= 1900)).toEqual([]);
  expect([mails[0], mails.at(-1)]).toEqual([expect.any(String), undefined]);
});

const worst = fc.constantFrom(
  ..."سلامX漢%&?=+#>",
  " ",
  "\n",
  "\r\n",
  "\u202E",
  "\u0651",
  "\u0301",
  "👩\u200D👩\u200D👧\u200D👦",
  "🏳️\u200D🌈",
  "{name}",
  "$&",
);
const text = (length: number) =>
  fc
    .oneof(
      fc.array(worst, { maxLength: length }).map((units) => units.join("")),
      worst.map((unit) => unit.repeat(length)),
      fc.string({ unit: anyCharacter, maxLength: length }),
    )
    // As it is stored.
    .map((value) => plainText(value.slice(0, length).replace(/\p{Cs}/gu, "")));

test("whatever is sent, the link is short, and its quote is the beginning of the message", () => {
  const templates = ["", "{name}", `أهلًا {name}،\n${"ك".repeat(180)}`];
  fc.assert(
    fc.property(text(100), text(5000), fc.boolean(), (name, sent, isLong) => {
      const email = isLong ? `${"n".repeat(64)}@${"d.".repeat(90)}com` : "a@example.com";
      for (const template of templates) {
        const { mail = "", chat = "" } = linksTo({ name, email, message: sent }, template);
        expect(new URL(mail).href).toBe(mail);
        expect(mail.length).toBeLessThan(1900);
        expect(new URL(chat).href.length).toBeLessThan(4000);
        const { body } = readMail(mail);
        const [, quote = ""] = /\r\n\r\n> (.*)$/s.exec(body) ?? [];
        expect(Array.from(quote).length).toBeLessThanOrEqual(120);
        expect(quote).not.toMatch(/[\r\n\u202E]/);
      }
    }),
    { numRuns: 100 },
  );
});
