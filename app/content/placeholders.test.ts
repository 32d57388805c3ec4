import { expect, test } from "vitest";
import { shipped } from "#tests/support/shipped-content.ts";
import { placeholdersIn } from "./placeholders.ts";

const own = {
  ...shipped,
  name: "نورة",
  phone: "966551234567",
  channels: [
    { name: "واتساب", icon: "whatsapp", link: "https://wa.me/966551234567", variant: "solid" },
    { name: "البريد", icon: "email", link: "mailto:noura@shop.sa", variant: "soft" },
    { name: "فيسبوك", icon: "facebook", link: null, variant: "outline" },
  ],
  works: [{ title: "متجر", description: "متجر", link: "https://notexample.com/shop" }],
  services: [
    { title: "صفحة التواصل", link: "/" },
    { title: "مجتمع", link: "https://www.example.community" },
  ],
} satisfies typeof shipped;
const [whatsapp, email] = own.channels;

test("the placeholders of the shipped content are known as such", () => {
  expect(placeholdersIn(shipped)).toEqual(["name", "phone", "address", "works"]);
});

test("content of one's own has none", () => {
  expect(placeholdersIn(own)).toEqual([]);
});

test.each([
  ["name", { name: shipped.name }],
  ["phone", { phone: shipped.phone }],
  ["phone", { channels: [{ ...whatsapp, link: `https://wa.me/${shipped.phone}?text=hi` }] }],
  ["address", { channels: [{ ...email, link: "mailto:name@example.com" }] }],
  ["works", { works: shipped.works }],
  ["works", { services: [{ title: "أعمالي", link: "https://www.example.com" }] }],
])("one is enough: %s in %o", (field, change) => {
  expect(placeholdersIn({ ...own, ...change } as typeof shipped)).toEqual([field]);
});

test("a hidden one is none", () => {
  const hidden = shipped.works.map((work) => ({ ...work, hidden: true }));
  expect(placeholdersIn({ ...own, works: hidden })).toEqual([]);
});
