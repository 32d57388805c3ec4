import { href } from "react-router";
import { redirectWithToast } from "remix-toast";
import { readInboxState } from "#app/models/inbox.server.ts";
import { beginTest, causeText } from "#app/models/notifications.server.ts";
import { getSupabase } from "#app/session/clients.server.ts";
import { type RouterContext, siteContext } from "#app/session/site-context.server.ts";

const section = () => `${href("/account")}#notifications`;

const refuse = (message: string) => redirectWithToast(section(), { type: "error", message });

/**
 * Sends a test notification and redirects with its result. Refuses accounts that do not own the inbox.
 * @param chosen the form's value, unchecked
 */
export async function testNotification(context: RouterContext, chosen: unknown): Promise<Response> {
  if ((await readInboxState(getSupabase(context))).owner !== "me") {
    return refuse("التنبيهات لصاحب الصندوق وحده");
  }
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
