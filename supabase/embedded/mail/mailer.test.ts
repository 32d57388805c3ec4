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

function mailerTo(port: number, pausesMs?: number[]) {
  const settings = { smtpUrl: `smtp://127.0.0.1:${port}`, from: "تواصل <site@example.com>" };
  return createMailer(settings, folder.path, brand, recordingLog(lines), pausesMs);
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

test("sends a mail again that is refused for now, unless a newer one replaces it", async () => {
  await using smtp = await startSmtp();
  smtp.faults = { RCPT: "451 4.7.1 <reader@example.com>: greylisted" };
  const mailer = mailerTo(smtp.port, [300, 300, 60_000]);
  const { variables } = mail;
  const numbered = (Token: string): Mail => ({ ...mail, variables: { ...variables, Token } });
  mailer.send(async () => [numbered("000001")]);
  const refused = "A mail was refused for now, and is sent again EENVELOPE";
  await expect.poll(() => lines.filter((line) => line.startsWith(refused))).toHaveLength(1);
  mailer.send(async () => [numbered("000002")]);
  mailer.send(async () => [{ ...numbered("000003"), to: "other@example.com" }]);
  await expect.poll(() => lines.filter((line) => line.startsWith(refused))).toHaveLength(3);
  smtp.faults = {};
  await expect.poll(() => smtp.mails.length).toBe(2);
  const sent = smtp.mails.map(({ to, text }) => [to, /^\d{6}$/m.exec(text)?.[0]]);
  expect(sent.toSorted()).toEqual([
    ["other@example.com", "000003"],
    ["reader@example.com", "000002"],
  ]);
  await mailer.close();
  expect(lines.filter((line) => /reader|other@|00000\d|secret|not sent/.test(line))).toEqual([]);
});

test("gives up a mail after the last pause, or when it is refused for good", async () => {
  await using smtp = await startSmtp();
  smtp.faults = { RCPT: "451 4.7.1 later" };
  const ended = () => lines.filter((line) => line.startsWith("A mail could not be sent EENVELOPE"));
  mailerTo(smtp.port, [10, 10]).send(async () => [mail]);
  await expect.poll(ended).toHaveLength(1);
  expect(ended()[0]).toContain("451");
  const patient = mailerTo(smtp.port, [300, 60_000]);
  patient.send(async () => [mail]);
  await expect.poll(() => lines.filter((line) => line.includes("for now"))).toHaveLength(2);
  smtp.faults = { RCPT: "550 5.1.1 unknown" };
  await expect.poll(ended).toHaveLength(2);
  expect(ended()[1]).toContain("550");
  await patient.close();
  expect(lines.join("\n")).not.toContain("before the stop");
});
