import { expect, test } from "vitest";
import { databaseFault } from "./database-fault.ts";

test.each([
  ["foreign", "Full.", "DATA_DIR: Full. Name an empty one."],
  ["in-use", "Locked.", "DATA_DIR: Locked."],
  ["unfinished", "A restore was not finished.", /finished\. Run npm run restore again\.$/],
  ["unsupported", "It needs Linux.", /^It needs Linux\. Set SUPABASE_URL /],
  ["failed", "It did not start.", "It did not start."],
])("%s tells the owner what to do, where that is not plain", (code, message, sentences) => {
  expect(databaseFault({ code, message })).toMatch(sentences);
});
