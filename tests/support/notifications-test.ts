// oxlint-disable no-empty-pattern
import type { Sql } from "embedded-supabase/testing";
import { test as base, expect } from "vitest";
import { openChannels } from "#app/server/notifications/channels.ts";
import {
  type OpenNotifications,
  openNotifications,
} from "#app/server/notifications/notifications.ts";
import type { NotificationChannel } from "#app/site-contract.server.ts";
import { type HookServer, startHook } from "./hook.ts";
import { forgetNotifications, pass, startNotificationsServer } from "./notifications.ts";
import { type SmtpServer, startSmtp } from "./smtp.ts";

type Settings = Partial<Parameters<typeof openChannels>[0]>;

const https = new URL("https://tawasul.example");
const none = { SMTP_URL: undefined, MAIL_FROM: undefined, NOTIFICATION_URL: undefined } as const;

export const patience = { timeout: 15_000, interval: 100 };

/** `pass` once all sent notifications are settled. A mail arrives before, and settling sets the next time. */
export async function passOnceSettled(sql: Sql, time: string): Promise<void> {
  const locked = () => sql`select from private.notifications where locked_until is not null`;
  await expect.poll(locked, patience).toEqual([]);
  await pass(sql, time);
}

/** A test with one database per file, and the part of the site that sends notifications. */
export const test = base
  .extend("server", { scope: "file" }, async ({}, { onCleanup }) => {
    const server = await startNotificationsServer();
    onCleanup(() => server[Symbol.asyncDispose]());
    return server;
  })
  .extend("smtp", async ({}, { onCleanup }): Promise<SmtpServer> => {
    const smtp = await startSmtp();
    onCleanup(() => smtp[Symbol.asyncDispose]());
    return smtp;
  })
  .extend("hook", async ({}, { onCleanup }): Promise<HookServer> => {
    const hook = await startHook();
    onCleanup(() => hook[Symbol.asyncDispose]());
    return hook;
  })
  .extend("site", async ({ server }, { onCleanup }) => {
    await forgetNotifications(server.sql);
    let notifications: OpenNotifications | undefined;
    let first: string | undefined;
    onCleanup(() => notifications?.close());
    const state = async () => {
      const { data } = await server.client.rpc("notification_state");
      return data?.find((one: { channel: string }) => one.channel === first);
    };
    return {
      /** Starts it, or restarts it with other settings. */
      async open(settings: Settings, address = https): Promise<void> {
        await notifications?.close();
        const env = { ...none, NOTIFICATION_BODY: "mail" as const, ...settings };
        const channels = openChannels(env, address, { list: [] });
        [first] = channels.keys();
        notifications = openNotifications(server, channels);
      },
      wake: () => notifications?.wake(),
      test: (channel: NotificationChannel) => notifications?.test(channel, server.owner),
      /** Stores a message and wakes it. Returns the message's id. */
      async leave(message: Parameters<typeof server.leave>[0] = {}): Promise<string> {
        const id = await server.leave(message);
        notifications?.wake();
        return id;
      },
      /** Wakes it. Returns the number of arrivals. */
      count: (came: unknown[]) => () => {
        notifications?.wake();
        return came.length;
      },
      state,
      fault: async () => (await state())?.fault,
    };
  });
