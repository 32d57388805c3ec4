import { expect, test } from "vitest";
import { recordingLog } from "#embedded/tests/support/log.ts";
import { createBackground } from "./background.ts";

test("work is done before the end, and a failure is logged without its text", async () => {
  const lines: string[] = [];
  const done: string[] = [];
  const background = createBackground(recordingLog(lines));
  background.run(() => Promise.reject(new Error("no account reader@example.com")));
  background.run(async () => {
    await Promise.resolve();
    done.push("a mail");
  });
  await background.close();
  expect(done).toEqual(["a mail"]);
  expect(lines).toEqual(["auth: a mail could not be made Error"]);
});
