import { afterAll, beforeAll, beforeEach } from "vitest";
import type { NotificationChannel } from "#app/site-contract.server.ts";
import {
  forgetNotifications,
  type NotificationsServer,
  startNotificationsServer,
} from "./notifications.ts";

/** Starts a backend with an owner for the file. Before each test only `channels` are on, and empty. */
export function useNotifications(channels: NotificationChannel[]): NotificationsServer {
  const notifications = {} as NotificationsServer;
  beforeAll(async () => {
    Object.assign(notifications, await startNotificationsServer());
  });
  afterAll(() => notifications[Symbol.asyncDispose]?.());
  beforeEach(async () => {
    await forgetNotifications(notifications.sql);
    await notifications.callAsSite("set_notification_channels", { channels: channels });
  });
  return notifications;
}
