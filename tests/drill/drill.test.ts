import { expect, test } from "vitest";
import { compare, drill, kinds } from "./drill.ts";
import { drillNotices } from "./notices.ts";
import { growing } from "./soak.ts";

test("a lost and a doubled message are found", () => {
  expect(compare(new Set(["a", "b", "c"]), ["c", "a", "c", "d"])).toEqual({
    lost: ["b"],
    doubled: ["c"],
  });
});

test("each kind of kill, once: nothing that was confirmed is lost or doubled", async () => {
  const outcome = await drill(kinds.length, () => undefined);
  expect(outcome).toMatchObject({ lost: [], doubled: [], failedStarts: 0 });
  expect(outcome.acknowledged).toBeGreaterThan(kinds.length);
}, 180_000);

test("killed at each step of telling the owner: every message comes, and under one name", async () => {
  const outcome = await drillNotices(5, () => undefined);
  expect(outcome).toMatchObject({ told: 5, wrong: [] });
}, 180_000);

test("what grows without an end is found", () => {
  const samples = Array.from({ length: 40 }, (_, minute) => ({
    minute,
    siteMegabytes: 200 + (minute % 5),
    postgresMegabytes: 50,
    files: 70 + 2 * minute,
    logLines: 3,
  }));
  expect(growing(samples)).toEqual(["files"]);
  expect(growing(samples.map((sample) => ({ ...sample, files: 70 })))).toEqual([]);
});
