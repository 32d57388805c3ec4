import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { brand } from "#app/content/brand.server.ts";
import { recordingLog } from "#tests/support/log.ts";
import { createMailer, type Mail } from "./mailer.ts";

let folder: string;
let lines: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mail-"));
  lines = [];
});
afterEach(() => rm(folder, { recursive: true }));

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
  const mailer = createMailer(undefined, folder, brand, recordingLog(lines));
  mailer.send(async () => [mail, mail]);
  await mailer.close();
  const files = await readdir(join(folder, "mails"));
  expect(files).toHaveLength(2);
  for (const file of files) {
    const path = join(folder, "mails", file);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, "utf8")).toContain("To: reader@example.com");
    expect(lines.join("\n")).toContain(path);
  }
  expect((await stat(join(folder, "mails"))).mode & 0o777).toBe(0o700);
  expect(lines.join("\n")).not.toMatch(/reader|012345|secret/);
});

async function mailerTo(smtp: Server) {
  await once(smtp.listen(0, "127.0.0.1"), "listening");
  const { port } = smtp.address() as AddressInfo;
  const settings = { smtpUrl: `smtp://127.0.0.1:${port}`, from: "تواصل <site@example.com>" };
  return createMailer(settings, folder, brand, recordingLog(lines));
}

test("sends by SMTP and waits for it when closed", async () => {
  const received: string[] = [];
  const smtp = createServer((socket) => {
    let isData = false;
    socket.write("220 ready\r\n");
    socket.on("data", (chunk) => {
      const text = chunk.toString();
      received.push(text);
      if (isData && !text.endsWith("\r\n.\r\n")) {
        return;
      }
      isData = !isData && text.startsWith("DATA");
      socket.write(isData ? "354 go on\r\n" : "250 fine\r\n");
    });
  });
  const mailer = await mailerTo(smtp);
  mailer.send(async () => [mail]);
  await mailer.close();
  smtp.close();
  const text = received.join("");
  expect(text).toContain("MAIL FROM:<site@example.com>");
  expect(text).toContain("RCPT TO:<reader@example.com>");
  expect(text).toContain("multipart/alternative");
  expect(lines).toEqual([]);
  expect(await readdir(folder)).toEqual([]);
});

test("waits three seconds for a server that does not greet, when closed", async () => {
  const smtp = createServer();
  const connected = once(smtp, "connection");
  const mailer = await mailerTo(smtp);
  mailer.send(async () => [mail]);
  const [socket] = (await connected) as [Socket];
  const start = performance.now();
  await mailer.close();
  expect(performance.now() - start).toBeLessThan(4_000);
  expect(lines).toEqual(["Mails were not sent before the stop 1"]);
  socket.destroy();
  smtp.close();
});

test("logs a failure without its text, and continues", async () => {
  const mailer = createMailer(
    { smtpUrl: "smtp://127.0.0.1:1", from: "site@example.com" },
    folder,
    brand,
    recordingLog(lines),
  );
  mailer.send(async () => [mail]);
  mailer.send(() => Promise.reject(new Error("no account reader@example.com")));
  await mailer.close();
  expect(lines.toSorted()).toEqual([
    "A mail could not be sent ESOCKET",
    "A mail could not be sent Error",
    "SMTP_URL does not work: no mail can be sent ESOCKET",
  ]);
});
