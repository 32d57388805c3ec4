import { agoText } from "#app/lib/backup-text.ts";
import { causeText, type NoticeWay, noticeWays, untoldText, wayNames } from "#app/lib/notices.ts";
import { PublicError } from "#app/lib/public-error.ts";
import { longDate } from "./date.server.ts";
import type { Supabase } from "./supabase.ts";

const isWay = (text: string): text is NoticeWay => noticeWays.some((way) => way === text);

/** The ways that are set up to reach the caller, who owns the inbox. @throws {PublicError} */
export async function readNoticeWays(supabase: Supabase, now = Date.now()) {
  const { data, error } = await supabase.rpc("notice_state");
  if (error) {
    throw new PublicError("The state of the notices was not read", error.code);
  }
  return data.flatMap(({ way, sent_at, failed_at, fault, reply, stuck, next_at }) =>
    isWay(way)
      ? {
          way,
          name: wayNames[way],
          sent: dated(sent_at, now),
          failed: fault === null ? undefined : dated(failed_at, now),
          cause: causeText(fault),
          reply,
          untold: stuck > 0 ? untoldText(stuck) : undefined,
          next: next_at === null ? undefined : longDate(next_at),
        }
      : [],
  );
}

export type NoticeWayState = Awaited<ReturnType<typeof readNoticeWays>>[number];

const dated = (time: string | null, now: number) =>
  time === null ? undefined : { time, date: longDate(time), ago: agoText(new Date(time), now) };

/** Tries at once what was not told to the caller, who owns the inbox. @throws {PublicError} */
export async function retryNotices(supabase: Supabase): Promise<void> {
  const { error } = await supabase.rpc("retry_notices");
  if (error) {
    throw new PublicError("The notices were not tried again", error.code);
  }
}

/** Returns the address of the caller, who owns the inbox; undefined if it was tested just now. */
export async function beginNoticeTest(
  supabase: Supabase,
  way: NoticeWay,
): Promise<string | undefined> {
  const { data, error, status } = await supabase.rpc("begin_notice_test", { for_way: way });
  if (status === 429) {
    return undefined;
  }
  if (error) {
    throw new PublicError("The test of a notice was not begun", error.code);
  }
  return data;
}
