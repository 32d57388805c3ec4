import { href, redirect, type RouterContextProvider } from "react-router";
import { redirectWithToast } from "remix-toast";
import { causeText, noticeChannels } from "#app/lib/notices.ts";
import { readInboxState } from "#app/models/inbox.server.ts";
import { beginNoticeTest, retryNotices } from "#app/models/notices.server.ts";
import { siteContext } from "#app/session/site-context.server.ts";
import { getSupabase } from "#app/session/supabase.server.ts";
import { changePush } from "./push.server.ts";

type Context = Readonly<RouterContextProvider>;

const section = () => `${href("/account")}#notices`;

const refuse = (message: string) => redirectWithToast(section(), { type: "error", message });

export const noticeButtons = ["notice-test", "notice-retry", "push", "push-off"] as const;

/** The action of `noticeButtons`. Refuses accounts that do not own the inbox. */
export async function changeNotices(context: Context, fields: FormData): Promise<Response> {
  if ((await readInboxState(getSupabase(context))).owner !== "me") {
    return refuse("التنبيهات لصاحب الصندوق وحده");
  }
  if (fields.has("push") || fields.has("push-off")) {
    const notice = await changePush(getSupabase(context), fields);
    return notice ? redirectWithToast(section(), { ...notice }) : redirect(section());
  }
  const test = fields.get("notice-test");
  return test === null
    ? tryAgain(context, fields.get("notice-retry") === "board")
    : sendTest(context, String(test));
}

async function tryAgain(context: Context, isFromBoard: boolean): Promise<Response> {
  await retryNotices(getSupabase(context));
  context.get(siteContext).notices.wake();
  return redirectWithToast(isFromBoard ? href("/admin") : section(), {
    type: "success",
    message: "تُعاد المحاولة الآن",
  });
}

/** Sends a test notice and redirects with its result. @param chosen the form's value, unchecked */
async function sendTest(context: Context, chosen: string): Promise<Response> {
  const channel = noticeChannels.find((known) => known === chosen);
  const to = channel && (await beginNoticeTest(getSupabase(context), channel));
  if (channel === undefined || to === undefined) {
    return refuse(channel ? "انتظر نصف دقيقة بين تجربتين" : "اختر طريقة من القائمة");
  }
  const result = await context.get(siteContext).notices.test(channel, to);
  return redirectWithToast(
    section(),
    result.outcome === "sent"
      ? { type: "success", message: "أُرسل التنبيه التجريبي" }
      : {
          type: "error",
          message: "لم يُرسل التنبيه التجريبي",
          description: causeText(result.fault),
        },
  );
}
