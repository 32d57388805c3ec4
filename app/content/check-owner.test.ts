import { expect, test } from "vitest";
import { shipped as owner } from "#tests/support/shipped-content.ts";
import { checkOwner } from "./check-owner.ts";
import { channelKinds } from "./schema.ts";

const [channel] = owner.channels;
const [work] = owner.works;
const [service] = owner.services;
const reply = { title: "شكر", text: "أهلًا {name}،\nشكرًا." };

const withChannel = (change: object) => ({ ...owner, channels: [{ ...channel, ...change }] });
const withPromise = (change: object) => ({ ...owner, promise: { ...owner.promise, ...change } });
const withReply = (change: object) => ({ ...owner, replies: [{ ...reply, ...change }] });
const many = (count: number, entry: unknown) => Array.from({ length: count }, () => entry);

test("the content of this site is right", () => {
  expect(() => checkOwner()).not.toThrow();
});

test("the smallest and the largest content are right", () => {
  const smallest = { ...withChannel({ hidden: false }), works: [], services: [], replies: [] };
  const largest = {
    ...owner,
    channels: many(12, channel),
    works: many(24, { ...work, why: many(3, "ن".repeat(45)) }),
    services: many(12, service),
    replies: Array.from({ length: 6 }, (_, number) => ({
      title: `${number}${"ع".repeat(29)}`,
      text: "ن".repeat(200),
    })),
  };
  expect(() => checkOwner(smallest)).not.toThrow();
  expect(() => checkOwner({ ...smallest, replies: undefined })).not.toThrow();
  const unpromised = { answerTime: undefined, promise: undefined };
  expect(() => checkOwner({ ...smallest, ...unpromised })).not.toThrow();
  expect(() => checkOwner(withPromise({ hours: 80, from: "00:00", to: "00:15" }))).not.toThrow();
  expect(() => checkOwner(largest)).not.toThrow();
});

test.each(channelKinds)("%s takes its own kind of link", (icon) => {
  const links: Record<string, string> = { email: "mailto:a@example.com", phone: "tel:+96650" };
  const link = links[icon] ?? `https://example.com/${icon}`;
  expect(() => checkOwner(withChannel({ icon, link }))).not.toThrow();
  expect(() => checkOwner(withChannel({ icon, link: null }))).not.toThrow();
  expect(() => checkOwner(withChannel({ icon, link: "javascript:alert(1)" }))).toThrow(
    "channels, entry 1, link must be a link such as",
  );
});

test.each([
  ["phone must be country code", { ...owner, phone: "+966 50" }],
  ["timeZone must be an IANA time zone", { ...owner, timeZone: "Riyadh" }],
  ["intro must have at most 90", { ...owner, intro: "ن".repeat(91) }],
  ["available must be a day such as 2026-12-01", { ...owner, available: "2026-13-01" }],
  ["available must be a day such as 2026-12-01", { ...owner, available: "ديسمبر" }],
  ["answerTime must have at most 40", { ...owner, answerTime: "ن".repeat(41) }],
  ["promise needs `answerTime`", { ...owner, answerTime: undefined }],
  ["promise, hours must be 1 to 80", withPromise({ hours: 0 })],
  ["promise, hours must be 1 to 80", withPromise({ hours: 81 })],
  ["promise, hours must be a whole number", withPromise({ hours: 7.5 })],
  ["promise, days must name a day", withPromise({ days: [] })],
  ["promise, days, entry 1 must be one of sun", withPromise({ days: ["sunday"] })],
  ["promise, from must be a time such as 09:00", withPromise({ from: "9:00" })],
  ["promise, to must be a time such as 09:00", withPromise({ to: "24:00" })],
  ["promise, to must be at least 15 minutes after", withPromise({ from: "17:00", to: "09:00" })],
  ["promise, to must be at least 15 minutes after", withPromise({ from: "09:00", to: "09:14" })],
  [
    "promise, daysOff is on the account page now. Remove the field, start the site, and enter there under «الغياب»: 2026-12-02 to 2026-12-04, 2026-12-31",
    withPromise({ daysOff: ["2026-12-31", "2026-12-03", "2026-12-02", "2026-12-04"] }),
  ],
  ["photo must be a file of app/content/pictures", { ...owner, photo: "../photo.webp" }],
  [
    "works, entry 1, picture must be a file",
    { ...owner, works: [{ ...work, picture: "picture.svg" }] },
  ],
  [
    "works, entry 1, why must have at most 3",
    { ...owner, works: [{ ...work, why: many(4, "سبب") }] },
  ],
  [
    "works, entry 1, why, entry 1 must have at most 45",
    { ...owner, works: [{ ...work, why: ["ن".repeat(46)] }] },
  ],
  [
    "works, entry 1, why, entry 1 must not be empty",
    { ...owner, works: [{ ...work, why: [" "] }] },
  ],
  ["works, entry 1, why must be a list", { ...owner, works: [{ ...work, why: "سبب" }] }],
  ["name must not be empty", { ...owner, name: " " }],
  ["title must be a text", { ...owner, title: undefined }],
  [
    "works, entry 2, link must be a web address",
    { ...owner, works: [work, { ...work, link: "#" }] },
  ],
  [
    "services, entry 1, link must be",
    { ...owner, services: [{ ...service, link: "//example.com" }] },
  ],
  ["channels must have at most 12", { ...owner, channels: many(13, channel) }],
  ["channels must show at least one", { ...owner, channels: [] }],
  ["channels must show at least one", withChannel({ hidden: true })],
  ["channels, entry 1, icon must be one of whatsapp", withChannel({ icon: "myspace" })],
  ["channels, entry 1, variant must be solid", withChannel({ variant: "bold" })],
  ["channels, entry 1, link must be a link such as mailto:", withChannel({ icon: "email" })],
  ["replies must be a list", { ...owner, replies: {} }],
  ["replies must have different titles", { ...owner, replies: many(2, reply) }],
  ["replies, entry 1, title must have at most 30", withReply({ title: "ع".repeat(31) })],
  ["replies, entry 1, text must be a text", withReply({ text: undefined })],
  ["replies, entry 1, text may have no braces but {name}", withReply({ text: "أهلًا {الاسم}" })],
  [
    "replies, entry 1, text must have at most 200 Arabic letters",
    withReply({ text: "ن".repeat(201) }),
  ],
  ["replies, entry 1, text must have at most 200 Arabic letters", withReply({ text: "\uD800" })],
  ["introo is not a field", { ...owner, introo: "نص" }],
  ["promise, hour is not a field", withPromise({ hour: 8 })],
  ["channels, entry 1, hiden is not a field", withChannel({ hiden: true })],
  ["works, entry 1, pictur is not a field", { ...owner, works: [{ ...work, pictur: "a.webp" }] }],
  ["services, entry 1, url is not a field", { ...owner, services: [{ ...service, url: "/" }] }],
  ["replies, entry 1, body is not a field", withReply({ body: "نص" })],
  ["channels, entry 1, hidden must be true or false", withChannel({ hidden: "yes" })],
])("a mistake is named: %s", (sentence, content) => {
  expect(() => checkOwner(content)).toThrow(sentence);
});

test("all mistakes are named at once", () => {
  const content = { ...owner, name: "", works: [{ ...work, link: "here" }] };
  expect(() => checkOwner(content)).toThrow(/name must not[^]*works, entry 1, link must be/);
});
