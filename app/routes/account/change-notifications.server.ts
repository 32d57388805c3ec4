import { href } from "react-router";
import { redirectWithToast } from "remix-toast";
import { readInboxState } from "#app/models/inbox.server.ts";
import { beginTest, causeText, retryNotifications } from "#app/models/notifications.server.ts";
import { type RouterContext, siteContext } from "#app/session/site-context.server.ts";
import { getSupabase } from "#app/session/supabase.server.ts";

export const section = () => `${href("/account")}#notifications`;

const refuse = (message: string) => redirectWithToast(section(), { type: "error", message });

export const notificationButtons = ["notification-test", "notification-retry"] as const;

/** The action of `notificationButtons`. Refuses accounts that do not own the inbox. */
export async function changeNotifications(
  context: RouterContext,
  fields: FormData,
): Promise<Response> {
  if ((await readInboxState(getSupabase(context))).owner !== "me") {
    return refuse("التنبيهات لصاحب الصندوق وحده");
  }
  const test = fields.get("notification-test");
  return test === null
    ? tryAgain(context, fields.get("notification-retry") === "board")
    : sendTest(context, String(test));
}

async function tryAgain(context: RouterContext, isFromBoard: boolean): Promise<Response> {
  await retryNotifications(getSupabase(context));
  context.get(siteContext).notifications.wake();
  return redirectWithToast(isFromBoard ? href("/admin") : section(), {
    type: "success",
    message: "تُعاد المحاولة الآن",
  });
}

/** Sends a test notification and redirects with its result. @param chosen the form's value, unchecked */
async function sendTest(context: RouterContext, chosen: string): Promise<Response> {
  const { notifications } = context.get(siteContext);
  const channel = notifications.channels.find((known) => known === chosen);
  const to = channel && (await beginTest(getSupabase(context), channel));
  if (channel === undefined || to === undefined) {
    return refuse(channel ? "انتظر نصف دقيقة بين تجربتين" : "اختر طريقة من القائمة");
  }
  const result = await notifications.test(channel, to);
  return redirectWithToast(
    section(),
    result.isSent
      ? { type: "success", message: "أُرسل التنبيه التجريبي" }
      : {
          type: "error",
          message: "لم يُرسل التنبيه التجريبي",
          description: causeText(result.fault),
        },
  );
}
