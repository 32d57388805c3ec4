import { readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { recordingLog } from "#tests/support/log.ts";
import { startSmtp } from "#tests/support/smtp.ts";
import { useFolder } from "#tests/support/use-folder.ts";
import { type AddressedMail, openAccountMails } from "./account-mails.ts";
import { smtpOf } from "./smtp.ts";

const folder = useFolder();
let lines: string[];
beforeEach(() => {
  lines = [];
});

const mail: AddressedMail = {
  to: "reader@example.com",
  template: "recovery",
  variables: {
    SiteURL: "https://example.com",
    RedirectTo: "https://example.com",
    TokenHash: "secret-token",
    Token: "012345",
    Email: "reader@example.com",
    NewEmail: "",
  },
};

test("writes private files without SMTP, and logs the file but no address", async () => {
  const mails = join(folder.path, "mails");
  const mailer = openAccountMails({ smtp: undefined, folder: mails, log: recordingLog(lines) });
  mailer.send(mail);
  mailer.send(mail);
  await mailer.close();
  const files = await readdir(mails);
  expect(files).toHaveLength(2);
  for (const file of files) {
    const path = join(mails, file);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, "utf8")).toContain("To: reader@example.com");
    expect(lines.join("\n")).toContain(path);
  }
  expect((await stat(mails)).mode & 0o777).toBe(0o700);
  expect(lines.join("\n")).not.toMatch(/reader|012345|secret/);
});

function mailerTo(port: number, closeTimeoutMs?: number) {
  const smtp = smtpOf({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: "تواصل <site@example.com>",
  });
  const more = closeTimeoutMs === undefined ? {} : { closeTimeoutMs };
  return openAccountMails({ smtp, folder: folder.path, log: recordingLog(lines), ...more });
}

test("sends by SMTP and waits for it when closed", async () => {
  await using smtp = await startSmtp();
  const mailer = mailerTo(smtp.port);
  mailer.send(mail);
  await mailer.close();
  expect(smtp.mails).toMatchObject([{ from: "site@example.com", to: "reader@example.com" }]);
  expect(smtp.mails[0]?.source).toContain("multipart/alternative");
  expect(smtp.mails[0]?.headers.get("auto-submitted")).toBe("auto-generated");
  expect(lines).toEqual([]);
  expect(await readdir(folder.path)).toEqual([]);
});

test("does not wait for ever for a server that does not greet, when closed", async () => {
  await using smtp = await startSmtp();
  smtp.faults = { greeting: "hang" };
  const mailer = mailerTo(smtp.port, 50);
  mailer.send(mail);
  await expect.poll(() => smtp.connections).toBeGreaterThan(0);
  await mailer.close();
  expect(lines).toEqual(["Mails were not sent before the stop 1"]);
});

test("logs a failure without its text", async () => {
  const mailer = mailerTo(1);
  mailer.send(mail);
  await mailer.close();
  expect(lines).toEqual(["A mail could not be sent ESOCKET ECONNREFUSED"]);
});

test.each([
  ["451 4.7.1", "put off"],
  ["550 5.1.1", "refused"],
])(
  "a mail that is refused with %s is sent once, and the log has the reply without the address",
  async (reply, outcome) => {
    await using smtp = await startSmtp();
    smtp.faults = { RCPT: `${reply} <reader@example.com>: not now` };
    const mailer = mailerTo(smtp.port);
    expect(await mailer.send(mail)).toBe(outcome);
    await mailer.close();
    expect(lines).toEqual([expect.stringMatching(/^A mail could not be sent EENVELOPE /)]);
    expect(lines[0]).toContain(`${reply} <…>: not now`);
    expect(lines[0]).not.toMatch(/reader|012345|secret/);
    expect(smtp.connections).toBe(1);
  },
);
