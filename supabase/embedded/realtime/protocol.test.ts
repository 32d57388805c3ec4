import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decodeMessage, encodeMessage } from "./protocol.ts";

const message = fc.record({
  joinRef: fc.option(fc.string({ maxLength: 64 })),
  ref: fc.option(fc.string({ maxLength: 64 })),
  topic: fc.string({ unit: "binary", maxLength: 200 }),
  event: fc.string({ unit: "binary", maxLength: 200 }),
  payload: fc.jsonValue({ maxDepth: 20 }),
});

test.each([1, 2] as const)("reads what it writes, serializer %i", (serializer) => {
  fc.assert(
    fc.property(message, (original) => {
      const read = decodeMessage(serializer, encodeMessage(serializer, original), false);
      expect(read).toEqual(JSON.parse(JSON.stringify(original)));
    }),
  );
});

test("never throws", () => {
  const bytes = fc.uint8Array({ maxLength: 300 }).map((list) => Buffer.from(list));
  const texts = fc.json().map((text) => Buffer.from(text));
  fc.assert(
    fc.property(
      fc.constantFrom(1 as const, 2 as const),
      fc.oneof(bytes, texts),
      fc.boolean(),
      (serializer, frame, binary) => {
        const read = decodeMessage(serializer, frame, binary);
        expect(["undefined", "string"]).toContain(typeof read?.topic);
      },
    ),
  );
});

test("reads the envelope of a binary broadcast", () => {
  const parts = ["1", "22", "realtime:غرفة", "event", ""].map((text) => Buffer.from(text));
  const lengths = parts.map(({ length }) => length);
  const frame = Buffer.concat([Buffer.from([3, ...lengths, 1]), ...parts, Buffer.from("{}")]);
  expect(decodeMessage(2, frame, true)).toEqual({
    joinRef: "1",
    ref: "22",
    topic: "realtime:غرفة",
    event: "broadcast",
    payload: {},
  });
});
