import { href } from "react-router";
import { redirectWithToast } from "remix-toast";
import { resetCounts, switchCounting } from "#app/models/counts.server.ts";
import { readInboxState } from "#app/models/inbox.server.ts";
import { beginTest, causeText } from "#app/models/notifications.server.ts";
import { getSupabase } from "#app/session/clients.server.ts";
import { type RouterContext, siteContext } from "#app/session/site-context.server.ts";

// The buttons of the inbox's owner.

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

const done = { on: "يُعدّ من الآن", off: "توقف العدّ", reset: "صُفّرت الأرقام" };
type Change = keyof typeof done;

const isChange = (value: unknown): value is Change =>
  typeof value === "string" && Object.hasOwn(done, value);

/** Starts, stops or resets the counts. Refuses accounts that do not own the inbox. */
export async function changeCounts(context: RouterContext, change: unknown): Promise<Response> {
  const supabase = getSupabase(context);
  const { owner } = await readInboxState(supabase);
  if (owner !== "me" || !isChange(change)) {
    const message = "لم يتغير العدّ: هو لصاحب الصندوق وحده";
    return redirectWithToast(href("/account"), { type: "error", message });
  }
  // Counts that this process has not saved yet are from before the change.
  await context.get(siteContext).counters.save();
  await (change === "reset" ? resetCounts(supabase) : switchCounting(supabase, change === "on"));
  return redirectWithToast(`${href("/account")}#counts`, {
    type: "success",
    message: done[change],
  });
}
