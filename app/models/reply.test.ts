import * as fc from "fast-check";
import { expect, test } from "vitest";
import { owner } from "#app/content/owner.ts";
import { encodeTemplate, replyTemplates, replyTo } from "./reply.server.ts";

const message = {
  name: "نورة السالم",
  email: "noura@example.com",
  message: "أريد صفحة هبوط لمتجري.\nمتى نبدأ؟",
  phone: "966501234567",
};
const most = { title: "الأطول", text: `أهلًا {name}،\n${"ك".repeat(180)}` };

const mailOf = ({ mail = "", name, quote }: ReturnType<typeof replyTo>, template = "") =>
  mail + template.replaceAll("{name}", name) + quote;

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
  expect(readMail(mailOf(replyTo(message)))).toEqual({
    to: ["noura@example.com"],
    subject: `رد على رسالتك إلى ${owner.name}`,
    body: "\r\n\r\n> أريد صفحة هبوط لمتجري. متى نبدأ؟",
  });
});

test("a ready reply stands in front, with the name as it is written", () => {
  const template = encodeTemplate({ title: "ت", text: "أهلًا {name}،\nشكرًا {name}." });
  const reply = replyTo(message, [template]);
  expect(readMail(mailOf(reply, template.mail)).body).toBe(
    "أهلًا نورة السالم،\r\nشكرًا نورة السالم.\r\n\r\n> أريد صفحة هبوط لمتجري. متى نبدأ؟",
  );
  const chat = new URL(reply.chat + template.chat.replaceAll("{name}", reply.name));
  expect([chat.origin, chat.pathname]).toEqual(["https://wa.me", "/966501234567"]);
  expect(Object.fromEntries(chat.searchParams)).toEqual({
    text: "> أريد صفحة هبوط لمتجري. متى نبدأ؟\n\nأهلًا نورة السالم،\nشكرًا نورة السالم.",
  });
});

test("a message without a number has no WhatsApp, another shows it by its groups", () => {
  expect(replyTo({ ...message, phone: null })).not.toHaveProperty("chat");
  expect(replyTo(message).number).toBe("+966 50 123 4567");
  expect(replyTo({ ...message, phone: "9999999" }).number).toBe("+9999999");
});

test("the owner's replies are ready, and each has a name to greet", () => {
  expect(replyTemplates().length).toBeGreaterThan(1);
  for (const { mail, chat } of replyTemplates()) {
    expect(mail).toContain("{name}");
    expect(chat).not.toContain("%0D");
  }
});

test.each([
  "a?cc=victim@example.com",
  "a&bcc=victim@example.com",
  "a%2Cvictim@example.com",
  "a,victim@example.com",
  "a#b@example.com",
  "محمد@مثال.السعودية",
])("the address %s adds nobody and no header", (email) => {
  const { to, subject } = readMail(mailOf(replyTo({ ...message, email })));
  expect(to).toEqual([email]);
  expect(subject).toBe(`رد على رسالتك إلى ${owner.name}`);
});

test("an address that fills the link has no link beside its own", () => {
  const email = `${"漢".repeat(60)}@${"字".repeat(60)}.${"字".repeat(60)}.${"字".repeat(60)}`;
  expect(replyTo({ ...message, email }).mail).toBeUndefined();
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
      fc.string({ unit: "binary", maxLength: length }),
    )
    .map((value) =>
      value
        .replace(/\p{Cs}/gu, "")
        .slice(0, length)
        .replace(/\p{Cs}/gu, ""),
    );

test("whatever is sent, the link is short, and its quote is the beginning of the message", () => {
  const templates = [encodeTemplate(most), encodeTemplate({ title: "ت", text: "{name}" })];
  fc.assert(
    fc.property(text(100), text(5000), fc.boolean(), (name, sent, isLong) => {
      const email = isLong ? `${"n".repeat(64)}@${"d.".repeat(90)}com` : "a@example.com";
      const reply = replyTo({ name, email, message: sent, phone: null }, templates);
      for (const template of ["", ...templates.map(({ mail }) => mail)]) {
        const link = mailOf(reply, template);
        expect(new URL(link).href.length).toBeLessThan(1900);
        const { body } = readMail(link);
        const [, quote = ""] = /\r\n\r\n> (.*)$/s.exec(body) ?? [];
        expect(Array.from(quote).length).toBeLessThanOrEqual(120);
        expect(quote).not.toMatch(/[\r\n\u202E]/);
      }
    }),
    { numRuns: 300 },
  );
});
