import { href, redirect, type RouterContextProvider } from "react-router";
import { redirectWithToast } from "remix-toast";
import { causeText, noticeWays } from "#app/lib/notices.ts";
import { readInboxState } from "#app/models/inbox.server.ts";
import { beginNoticeTest, retryNotices } from "#app/models/notices.server.ts";
import { siteContext } from "#app/session/site-context.server.ts";
import { getSupabase } from "#app/session/supabase.server.ts";
import { changePush } from "./push.server.ts";

type Context = Readonly<RouterContextProvider>;

const section = () => `${href("/account")}#notices`;

const refuse = (message: string) => redirectWithToast(section(), { type: "error", message });

export const noticeButtons = ["notice-test", "notice-retry", "push", "push-off"] as const;

/** Does what one of noticeButtons asks for, if the inbox's owner pressed it. */
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

/** Says what came of it. @param chosen the way, as it was sent */
async function sendTest(context: Context, chosen: string): Promise<Response> {
  const way = noticeWays.find((known) => known === chosen);
  const to = way && (await beginNoticeTest(getSupabase(context), way));
  if (way === undefined || to === undefined) {
    return refuse(way ? "انتظر نصف دقيقة بين تجربتين" : "اختر طريقة من القائمة");
  }
  const sending = await context.get(siteContext).notices.test(way, to);
  return redirectWithToast(
    section(),
    sending.outcome === "sent"
      ? { type: "success", message: "أُرسل التنبيه التجريبي" }
      : {
          type: "error",
          message: "لم يُرسل التنبيه التجريبي",
          description: causeText(sending.fault),
        },
  );
}
