import { expect, test, vi } from "vitest";
import { log } from "#app/lib/log.server.ts";
import { startSmtp } from "#tests/support/smtp.ts";
import { checkSmtp } from "./smtp.ts";

test.each([
  ["accepts", undefined, "info", ["The mail server of SMTP_URL accepts mails of this site"]],
  [
    "refuses",
    "535 5.7.8 <me@example.com>: wrong",
    "error",
    ["SMTP_URL does not work: no mail can be sent", { code: "EAUTH", reply: expect.any(String) }],
  ],
] as const)("the log says that the server %s the site's login", async (_, fault, level, line) => {
  await using smtp = await startSmtp();
  smtp.faults = fault === undefined ? {} : { AUTH: fault };
  const write = vi.spyOn(log, level).mockImplementation(() => undefined);
  await checkSmtp({ SMTP_URL: smtp.url, MAIL_FROM: "site@example.com" });
  expect(write.mock.calls).toEqual([line]);
  expect(JSON.stringify(write.mock.calls)).not.toMatch(/me@|secret/);
});
