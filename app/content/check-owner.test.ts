import { expect, test } from "vitest";
import { checkOwner } from "./check-owner.ts";
import { owner } from "./owner.ts";

test("what is shipped is right", () => {
  expect(() => checkOwner()).not.toThrow();
});

test.each([
  ["phone", { ...owner, phone: "+966 50" }],
  ["timeZone", { ...owner, timeZone: "Riyadh" }],
  ["name", { ...owner, name: " " }],
  [
    "works.1.link",
    { ...owner, works: owner.works.with(1, { ...owner.works[0], link: "#" } as never) },
  ],
  ["channels", { ...owner, channels: owner.channels.slice(1) }],
  [
    "channels.0.target",
    {
      ...owner,
      channels: owner.channels.with(0, {
        ...owner.channels[0],
        target: "javascript:alert(1)",
      } as never),
    },
  ],
])("a mistake in %s is named", (field, content) => {
  expect(() => checkOwner(content)).toThrow(`owner.ts: ${field} is wrong`);
});
