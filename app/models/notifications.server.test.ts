import { expect, test } from "vitest";
import { causeText, undeliveredText } from "./notifications.server.ts";

test("counts have the form that Arabic gives them", () => {
  expect([1, 2, 3, 11].map(undeliveredText)).toEqual([
    "تعذّر تنبيهك برسالة",
    "تعذّر تنبيهك برسالتين",
    "تعذّر تنبيهك بـ٣ رسائل",
    "تعذّر تنبيهك بـ١١ رسالة",
  ]);
});

test("a cause that is not known points to the log", () => {
  expect(causeText("login")).toBe("رفض الخادم اسم الدخول أو كلمة المرور");
  expect([causeText(null), causeText("constructor")]).toEqual([
    "السبب في سجل الموقع",
    "السبب في سجل الموقع",
  ]);
});
