import { expect, onTestFinished, test } from "vitest";
import { useFolder } from "#tests/support/use-folder.ts";
import { backUpNightly } from "./nightly.ts";

const folder = useFolder();

test("a backup whose process cannot be started has failed, and the next one is tried", async () => {
  // As without memory, the system refuses at once: no process may have so long a variable.
  process.env["TOO_LONG"] = "x".repeat(1_000_000);
  onTestFinished(() => {
    delete process.env["TOO_LONG"];
  });
  const nightly = backUpNightly({ folder: folder.path, site: "your.site" }, 1);
  await expect.poll(() => nightly.state()).toEqual({ at: undefined, fault: "other" });
  await nightly.close();
});
