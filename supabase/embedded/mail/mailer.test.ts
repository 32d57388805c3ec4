import { readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { brand } from "#app/content/brand.server.ts";
import { recordingLog } from "#tests/support/log.ts";
import { startSmtp } from "#tests/support/smtp.ts";
import { useFolder } from "#tests/support/use-folder.ts";
import { type Mail, createMailer } from "./mailer.ts";

const folder = useFolder();
let lines: string[];
beforeEach(() => {
  lines = [];
});

const mail: Mail = {
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
  const mailer = createMailer(undefined, folder.path, brand, recordingLog(lines));
  mailer.send(async () => [mail, mail]);
  await mailer.close();
  const files = await readdir(join(folder.path, "mails"));
  expect(files).toHaveLength(2);
  for (const file of files) {
    const path = join(folder.path, "mails", file);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, "utf8")).toContain("To: reader@example.com");
    expect(lines.join("\n")).toContain(path);
  }
  expect((await stat(join(folder.path, "mails"))).mode & 0o777).toBe(0o700);
  expect(lines.join("\n")).not.toMatch(/reader|012345|secret/);
});

function mailerTo(port: number) {
  const settings = { smtpUrl: `smtp://127.0.0.1:${port}`, from: "تواصل <site@example.com>" };
  return createMailer(settings, folder.path, brand, recordingLog(lines));
}

test("sends by SMTP and waits for it when closed", async () => {
  await using smtp = await startSmtp();
  const mailer = mailerTo(smtp.port);
  mailer.send(async () => [mail]);
  await mailer.close();
  expect(smtp.mails).toMatchObject([{ from: "site@example.com", to: "reader@example.com" }]);
  expect(smtp.mails[0]?.source).toContain("multipart/alternative");
  expect(lines).toEqual([]);
  expect(await readdir(folder.path)).toEqual([]);
});

test("waits three seconds for a server that does not greet, when closed", async () => {
  await using smtp = await startSmtp();
  smtp.faults = { greeting: "hang" };
  const mailer = mailerTo(smtp.port);
  mailer.send(async () => [mail]);
  await expect.poll(() => smtp.connections).toBeGreaterThan(0);
  const start = performance.now();
  await mailer.close();
  expect(performance.now() - start).toBeLessThan(4_000);
  expect(lines).toEqual(["Mails were not sent before the stop 1"]);
});

test("logs a failure without its text, and continues", async () => {
  const mailer = mailerTo(1);
  mailer.send(async () => [mail]);
  mailer.send(() => Promise.reject(new Error("no account reader@example.com")));
  await mailer.close();
  expect(lines.toSorted()).toEqual([
    "A mail could not be sent ESOCKET ECONNREFUSED",
    "A mail could not be sent Error",
    "SMTP_URL does not work: no mail can be sent ESOCKET ECONNREFUSED",
  ]);
});
