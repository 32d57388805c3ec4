import { expect, test } from "vitest";
import { countFolder } from "#tests/support/comments.ts";

test.each([
  ["supabase/embedded", 0.06],
  ["app", 0.11],
])("comments in %s stay few", (folder, most) => {
  expect(countFolder(folder).share).toBeLessThanOrEqual(most);
});
