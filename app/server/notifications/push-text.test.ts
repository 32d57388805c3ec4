import { expect, test } from "vitest";
import { pushText } from "./push-text.ts";

const site = new URL("https://tawasul.example");
const message = {
  name: "\u202Eسارة\u2069",
  email: "a@b.co",
  phone: null,
  message: "أريد\u2067 صفحة\n\u200Fلمتجري",
  created_at: "2026-01-01T00:00:00Z",
};

test("marks that turn the direction around are left out, and lines become one", () => {
  const text = pushText({ id: "1", to: null, messages: 1, newest: [message] }, site, true);
  expect(JSON.parse(text)).toEqual({
    web_push: 8030,
    notification: {
      title: "سارة",
      body: "أريد صفحة لمتجري",
      lang: "ar",
      dir: "rtl",
      navigate: "https://tawasul.example/admin",
      tag: "1",
    },
  });
});
