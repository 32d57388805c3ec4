import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:tls";
import { expect, onTestFinished } from "vitest";
import { z } from "zod";
import { cert, key } from "#tests/support/certificate.ts";
import type { HookServer, Posted } from "#tests/support/hook.ts";
import { passOnceSettled, patience, test } from "#tests/support/notifications-test.ts";

const bodySchema = z.strictObject({ text: z.string(), url: z.string() });

test("one POST has the number of messages and the link, but not their text", async ({
  hook,
  site,
}) => {
  await site.open({ NOTIFICATION_URL: hook.url });
  await site.leave({ name: "نورة", message: "سر" });
  await expect.poll(site.count(hook.posts), patience).toBe(1);
  const [post] = hook.posts;
  const { text, url } = bodySchema.parse(post?.body);
  expect(url).toMatch(/^https:\/\/tawasul\.example\/admin\?open=[-0-9a-f]{36}$/);
  expect(text).toBe(`رسالة جديدة من موقعك\n${url}`);
  expect(post?.path).toBe("/hook");
  expect(post?.headers["content-type"]).toBe("application/json");
  await expect.poll(async () => (await site.state())?.sent_at).toBeTruthy();
});

test("with NOTIFICATION_BODY=all it quotes the start of the newest message", async ({
  hook,
  site,
}) => {
  await site.open({ NOTIFICATION_URL: hook.url, NOTIFICATION_BODY: "all" });
  await site.leave({ name: "نورة", message: `أريد${"😀".repeat(300)}` });
  await expect.poll(site.count(hook.posts), patience).toBe(1);
  const { text, url } = bodySchema.parse(hook.posts[0]?.body);
  expect(text).toMatch(/^رسالة جديدة من موقعك\nنورة: أريد/);
  expect(text.length - url.length).toBeLessThan(340);
});

test("a quote mentions nobody and links to nothing in a chat", async ({ hook, site }) => {
  await site.open({ NOTIFICATION_URL: hook.url, NOTIFICATION_BODY: "all" });
  const message =
    "<!channel> @everyone <@123> <https://evil.example|bank> [bank](//evil.example) &#64;all &commat;all [b][1]";
  const link = "https://shop.example/?a=1&b=2";
  await site.leave({ name: "@here", message: `${message} ${link}` });
  await expect.poll(site.count(hook.posts), patience).toBe(1);
  const { text, url } = bodySchema.parse(hook.posts[0]?.body);
  expect(text).not.toMatch(/[<>]|@\w|&#?\w+;|\][([:]/);
  expect(text).toContain(link);
  expect(text.replaceAll("\u200B", "").replaceAll("‹", "<").replaceAll("›", ">")).toBe(
    `رسالة جديدة من موقعك\n@here: ${message} ${link}\n${url}`,
  );
});

/** As Telegram's server reads a call: from the query and from a JSON body alike. */
const argumentsOf = ({ path, body }: Posted) => ({
  ...Object.fromEntries(new URL(path, "http://localhost").searchParams),
  ...bodySchema.parse(body),
});

test("a service that reads arguments of the address and of the body gets both", async ({
  hook,
  site,
}) => {
  const address = new URL("/bot123456:ABC-def_1/sendMessage?chat_id=-42", hook.url).href;
  await site.open({ NOTIFICATION_URL: address });
  await site.leave();
  await expect.poll(site.count(hook.posts), patience).toBe(1);
  const [post] = hook.posts as [Posted];
  expect(post.path).toMatch(/^\/bot123456:ABC-def_1\/sendMessage\?/);
  expect(argumentsOf(post)).toMatchObject({
    chat_id: "-42",
    text: expect.stringMatching(/^رسالة جديدة من موقعك\nhttps:/),
  });
  // ntfy fills the template in its address.
  const template = "/topic?tpl=1&m=%7B%7B.text%7D%7D";
  await site.open({ NOTIFICATION_URL: new URL(template, hook.url).href });
  await site.test("webhook");
  expect(hook.posts.at(-1)?.path).toBe(template);
  expect(argumentsOf(hook.posts.at(-1) as Posted)).toMatchObject({ tpl: "1", m: "{{.text}}" });
});

test.for<[string, HookServer["answer"], string]>([
  ["503", (response) => response.writeHead(503).end(), "later"],
  ["a cut connection", (response) => response.destroy(), "unreachable"],
])(
  "%s: the owner sees the fault, and nothing is lost",
  async ([, answer, cause], { server, hook, site }) => {
    hook.answer = answer;
    await site.open({ NOTIFICATION_URL: hook.url });
    await site.leave();
    await expect.poll(site.fault, patience).toBe(cause);
    expect(await site.state()).toMatchObject({ stuck: 1 });
    hook.answer = undefined;
    await server.client.rpc("retry_notifications");
    await passOnceSettled(server.sql, "1 minute");
    await expect.poll(site.count(hook.posts), patience).toBe(2);
    await expect.poll(site.fault, patience).toBe(null);
    const [first, second] = hook.posts;
    expect(first?.headers["idempotency-key"]).toMatch(/^[-0-9a-f]{36}$/);
    expect(second?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"]);
  },
);

test("a redirect is not followed", async ({ hook, site }) => {
  hook.answer = (response) => response.writeHead(307, { Location: `${hook.url}/other` }).end();
  await site.open({ NOTIFICATION_URL: hook.url });
  await site.leave();
  await expect.poll(site.fault, patience).toBe("redirect");
  expect(hook.posts.map(({ path }) => path)).toEqual(["/hook"]);
});

test("an endless response is not read", async ({ hook, site }) => {
  hook.answer = (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write("x".repeat(1000)), 1);
    response.on("close", () => clearInterval(timer));
  };
  await site.open({ NOTIFICATION_URL: hook.url });
  await site.leave();
  await expect.poll(async () => (await site.state())?.sent_at, patience).toBeTruthy();
});

/** Starts a server whose certificate nobody trusts. Returns its port. */
async function startUntrusted(): Promise<number> {
  const server = createServer({ cert, key }, (socket) => socket.end());
  server.on("tlsClientError", () => undefined);
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const mail = (url: string) => ({ SMTP_URL: url, MAIL_FROM: "site@tawasul.example" });
const webhook = (url: string) => ({ NOTIFICATION_URL: url });

test.for([
  ["mail", (port: number) => mail(`smtps://me:secret@localhost:${port}`)],
  ["webhook", (port: number) => webhook(`https://localhost:${port}/`)],
] as const)(
  "%s is not sent to a server without a valid certificate",
  async ([, settingOf], { site }) => {
    await site.open(settingOf(await startUntrusted()));
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
