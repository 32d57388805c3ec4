import { expect, test } from "vitest";
import { databaseFault } from "./database-fault.ts";

test.each([
  ["foreign", "Full.", "DATA_DIR: Full. Name an empty one."],
  ["in-use", "Locked.", "DATA_DIR: Locked."],
  ["unfinished", "A restore was not finished.", /finished\. Run npm run restore again\.$/],
  ["unsupported", "It needs Linux.", /^It needs Linux\. Set SUPABASE_URL /],
  ["other-postgres", "It is old.", /^It is old: run npm run backup [^.]+ npm run restore [^.]+\.$/],
  [
    "old-schema",
    "It is old.",
    /^It is old\. Version 1\.0\.0 .+ npm run backup .+ npm run restore -- FILE /,
  ],
  ["failed", "It did not start.", "It did not start."],
])("%s tells the owner what to do, where that is not plain", (code, message, sentences) => {
  expect(databaseFault({ code, message })).toMatch(sentences);
});

test("a developer reads how to undo a change or to begin again, and the owner never does", () => {
  for (const code of ["old-schema", "changed-migration", "missing-migration"]) {
    expect(databaseFault({ code, message: "Other." }, true)).toMatch(
      /delete the folder of DATA_DIR/i,
    );
    expect(databaseFault({ code, message: "Other." })).not.toMatch(/delete/);
  }
  expect(databaseFault({ code: "keys", message: "Other." })).not.toMatch(/delete/);
});
