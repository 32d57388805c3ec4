// oxlint-disable no-empty-pattern
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:tls";
import { expect } from "vitest";
import { patience, test as base } from "#tests/support/notifications-test.ts";
import { cert, key } from "#tests/support/push-service.ts";

const test = base.extend("port", async ({}, { onCleanup }) => {
  const server = createServer({ cert, key }, (socket) => socket.end());
  server.on("tlsClientError", () => undefined);
  await once(server.listen(0, "127.0.0.1"), "listening");
  onCleanup(() => void server.close());
  return (server.address() as AddressInfo).port;
});

const mail = (url: string) => ({ SMTP_URL: url, MAIL_FROM: "site@tawasul.example" });
const webhook = (url: string) => ({ NOTIFICATION_URL: url });

test.for([
  ["mail", (port: number) => mail(`smtps://me:secret@localhost:${port}`)],
  ["webhook", (port: number) => webhook(`https://localhost:${port}/`)],
] as const)(
  "%s is not sent to a server without a valid certificate",
  async ([, settingOf], { port, site }) => {
    await site.open(settingOf(port));
    await site.leave();
    await expect.poll(site.fault, patience).toBe("certificate");
    expect(await site.state()).toMatchObject({ stuck: 1, sent_at: null });
  },
);

test.for([
  ["mail", (port: number) => mail(`smtps://me:secret@127.0.0.1:${port}`)],
  ["webhook", (port: number) => webhook(`https://127.0.0.1:${port}/`)],
] as const)(
  "%s is not sent to a server without encryption",
  async ([, settingOf], { smtp, site }) => {
    await site.open(settingOf(smtp.port));
    await site.leave();
    await expect.poll(site.fault, patience).toBe("certificate");
    expect(smtp.mails).toEqual([]);
  },
);
