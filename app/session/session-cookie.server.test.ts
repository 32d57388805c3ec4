import { expect, test } from "vitest";
import { brokenSession } from "./session-cookie.server.ts";

const session = {
  access_token: "a.b.c",
  refresh_token: "r",
  expires_at: 1,
  user: { id: "1", factors: [{ id: "2", status: "verified" }] },
};

const encode = (value: unknown) =>
  `base64-${Buffer.from(JSON.stringify(value)).toString("base64url")}`;

test("leaves a session alone, whole or in chunks", async () => {
  const value = encode(session);
  expect(await brokenSession("session", [{ name: "session", value }])).toEqual([]);
  const chunks = [
    { name: "session.1", value: value.slice(100) },
    { name: "session.0", value: value.slice(0, 100) },
    { name: "toast", value: "x" },
  ];
  expect(await brokenSession("session", chunks)).toEqual([]);
  expect(await brokenSession("session", [{ name: "visit", value: "x" }])).toEqual([]);
  const plain = { name: "session", value: JSON.stringify(session) };
  expect(await brokenSession("session", [plain])).toEqual([]);
});

test.each([
  { ...session, refresh_token: null },
  { ...session, refresh_token: "" },
  { ...session, access_token: "a.b" },
  { ...session, expires_at: "1" },
  { ...session, user: { factors: 7 } },
  { ...session, user: { factors: [null] } },
  {},
  null,
  "text",
])("finds %j broken", async (value) => {
  expect(await brokenSession("session", [{ name: "session", value: encode(value) }])).toEqual([
    "session",
  ]);
});

test.each(["", "x", "base64-", "base64-%", "base64-e30", "{}", "{"])(
  "finds the text %j broken, with all that looks like a chunk of it",
  async (value) => {
    const cookies = [
      { name: "session", value },
      { name: "session.7", value: "x" },
      { name: "visit", value: "x" },
    ];
    expect(await brokenSession("session", cookies)).toEqual(["session", "session.7"]);
  },
);
