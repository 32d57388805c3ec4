import { expect, test } from "vitest";
import { recordingLog } from "#tests/support/log.ts";
import { createMailer, type Mail } from "./mail.ts";

const mail: Mail = {
  to: "reader@example.com",
  template: "wrong_codes",
  variables: { Email: "reader@example.com", SiteURL: "https://example.com" },
};

test("mails are handed over before the end, and a failure is logged without its text", async () => {
  const lines: string[] = [];
  const sent: Mail[] = [];
  const mailer = createMailer((each) => sent.push(each), recordingLog(lines));
  mailer.send(() => Promise.reject(new Error("no account reader@example.com")));
  mailer.send(async () => [mail]);
  await mailer.close();
  expect(sent).toEqual([mail]);
  expect(lines).toEqual(["auth: a mail could not be made Error"]);
});
