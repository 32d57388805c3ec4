import { noLimits, type Sql } from "embedded-supabase/testing";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { z } from "zod";
import { siteCalls } from "#app/server/backend/site-calls.ts";
import { signUp } from "./auth-server.ts";
import { startTestServer } from "./embedded-server.ts";
import { leaveMessage } from "./messages.ts";
import { openSuperuser } from "./superuser.ts";

export type NotificationsServer = Awaited<ReturnType<typeof startNotificationsServer>>;

let messages = 0;

/** Starts a backend whose inbox has an owner, and which a site calls. */
export async function startNotificationsServer() {
  const server = await startTestServer({ limits: noLimits });
  const sql = await openSuperuser(server.dataDir, 4);
  const { client, email: owner, user } = await signUp(server);
  await sql`insert into private.site_owner (user_id) values (${user.id})`;
  const callAsSite = siteCalls(server.embedded.callAsSite);
  return {
    server,
    sql,
    /** The owner's e-mail address. */
    owner,
    /** The owner's client. */
    client,
    /** Calls a function as the site does. */
    callAsSite,
    /** Stores a message. Returns its id. */
    async leave(
      given: Partial<Record<"name" | "email" | "message", string>>,
      address?: string,
    ): Promise<string> {
      messages += 1;
      const row = {
        name: "سارة",
        email: "sara@example.com",
        message: `رسالة ${messages}`,
        ...given,
      };
      return (await leaveMessage(server, row, address)).id ?? "";
    },
    async [Symbol.asyncDispose]() {
      await sql.end();
      await server.close();
    },
  };
}

/** Deletes all messages and notifications. */
export async function forgetNotifications(sql: Sql): Promise<void> {
  await sql`
    truncate private.notification_channels, private.notifications,
      public.contact_messages cascade`;
  await sql`
    insert into private.notification_channels (channel) values ('mail'), ('webhook')`;
}

/** Moves all times that notifications wait for back by `time`, as if it had passed. */
export async function pass(sql: Sql, time: string): Promise<void> {
  await sql`
    update private.notifications set since = since - ${time}::interval,
      locked_until = locked_until - ${time}::interval`;
  await sql`
    update private.notification_channels set next_at = next_at - ${time}::interval,
      tested_at = tested_at - ${time}::interval`;
}

/** Stores `count` messages in one transaction. */
export async function leaveAtOnce(sql: Sql, count: number): Promise<void> {
  await sql`
    with stored as (
      insert into public.contact_messages (name, email, message)
      select 'a', 'a@b.co', 'رسالة رقم ' || n from generate_series(1, ${count}::integer) n
      returning id
    ) select private.store_notifications(id) from stored`;
}

const batchSchema = z.object({
  batch: z.string(),
  locked_until: z.string(),
  recipient: z.string().nullable(),
  messages: z.number(),
  newest: z.array(z.object({ message: z.string() })),
});

/** Takes the next batch that a worker has to send, if any. */
export async function takeBatch({ callAsSite }: NotificationsServer, channel = "mail") {
  const rows = await callAsSite("take_notifications", { for_channel: channel });
  return z.array(batchSchema).parse(rows)[0];
}

/** Reports the result of a batch. @param batch null for a test */
export async function settleBatch(
  { callAsSite }: NotificationsServer,
  batch: { locked_until: string } | null | undefined,
  isSent: boolean,
): Promise<void> {
  const result = {
    taken_until: batch?.locked_until ?? null,
    is_sent: isSent,
    ...(!isSent && { fault: "later" }),
  };
  await callAsSite("settle_notification", { for_channel: "mail", ...result });
}

/** Starts a backend with an owner for the file. Before each test nothing waits. */
export function useNotifications(): NotificationsServer {
  const notifications = {} as NotificationsServer;
  beforeAll(async () => {
    Object.assign(notifications, await startNotificationsServer());
  });
  afterAll(() => notifications[Symbol.asyncDispose]?.());
  beforeEach(() => forgetNotifications(notifications.sql));
  return notifications;
}
