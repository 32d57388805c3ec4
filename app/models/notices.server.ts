import { agoText } from "#app/lib/backup-text.ts";
import {
  causeText,
  type NoticeChannel,
  noticeChannels,
  undeliveredText,
  channelNames,
} from "#app/lib/notices.ts";
import { PublicError } from "#app/lib/public-error.ts";
import { longDate } from "./date.server.ts";
import type { Supabase } from "./supabase.ts";

const isChannel = (text: string): text is NoticeChannel =>
  noticeChannels.some((channel) => channel === text);

/** The states of the configured channels. @throws {PublicError} */
export async function readNoticeChannels(supabase: Supabase, now = Date.now()) {
  const { data, error } = await supabase.rpc("notification_state");
  if (error) {
    throw new PublicError("The state of the notices was not read", error.code);
  }
  return data.flatMap(({ channel, sent_at, failed_at, fault, reply, stuck, next_at }) =>
    isChannel(channel)
      ? {
          id: channel,
          name: channelNames[channel],
          sent: dated(sent_at, now),
          failed: fault === null ? undefined : dated(failed_at, now),
          cause: causeText(fault),
          reply,
          undelivered: stuck > 0 ? undeliveredText(stuck) : undefined,
          next: next_at === null ? undefined : longDate(next_at),
        }
      : [],
  );
}

export type NoticeChannelState = Awaited<ReturnType<typeof readNoticeChannels>>[number];

const dated = (time: string | null, now: number) =>
  time === null ? undefined : { time, date: longDate(time), ago: agoText(new Date(time), now) };

/** Makes undelivered notices due now. The caller must own the inbox. @throws {PublicError} */
export async function retryNotices(supabase: Supabase): Promise<void> {
  const { error } = await supabase.rpc("retry_notifications");
  if (error) {
    throw new PublicError("The notices were not tried again", error.code);
  }
}

/** Returns the owner's address for a test; undefined within 30 s of the last. @throws {PublicError} */
export async function beginNoticeTest(
  supabase: Supabase,
  channel: NoticeChannel,
): Promise<string | undefined> {
  const { data, error, status } = await supabase.rpc("begin_notification_test", {
    for_channel: channel,
  });
  if (status === 429) {
    return undefined;
  }
  if (error) {
    throw new PublicError("The test of a notice was not begun", error.code);
  }
  return data;
}
