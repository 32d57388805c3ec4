import { expect, test } from "vitest";
import { compare, drill, kinds } from "./drill.ts";

test("finds lost and doubled messages", () => {
  expect(compare(new Set(["a", "b", "c"]), ["c", "a", "c", "d"])).toEqual({
    lost: ["b"],
    doubled: ["c"],
  });
});

test("no kind of kill loses or doubles a confirmed message", async () => {
  const outcome = await drill(kinds.length, () => undefined);
  expect(outcome).toMatchObject({ lost: [], doubled: [], failedStarts: 0 });
  expect(outcome.acknowledged).toBeGreaterThan(kinds.length);
});
