import { afterAll, beforeAll, beforeEach } from "vitest";
import type { NotificationChannel } from "#app/site-contract.server.ts";
import { forgetNotices, type NoticesServer, startNoticesServer } from "./notices.ts";

/** Starts a backend with an owner for the file. Before each test only `channels` are on, and empty. */
export function useNotices(channels: NotificationChannel[]): NoticesServer {
  const notices = {} as NoticesServer;
  beforeAll(async () => {
    Object.assign(notices, await startNoticesServer());
  });
  afterAll(() => notices[Symbol.asyncDispose]?.());
  beforeEach(async () => {
    await forgetNotices(notices.sql);
    await notices.callAsSite("set_notification_channels", { channels: channels });
  });
  return notices;
}
