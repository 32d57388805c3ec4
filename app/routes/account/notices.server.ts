import { href, type RouterContextProvider } from "react-router";
import { redirectWithToast } from "remix-toast";
import { causeText, noticeWays } from "#app/lib/notices.ts";
import { beginNoticeTest, retryNotices } from "#app/models/notices.server.ts";
import { siteContext } from "#app/session/site-context.server.ts";
import { getSupabase } from "#app/session/supabase.server.ts";

type Context = Readonly<RouterContextProvider>;

const section = () => `${href("/account")}#notices`;

/** Tries at once what did not arrive. @param page where the button is */
export async function tryNoticesAgain(context: Context, page: string): Promise<Response> {
  await retryNotices(getSupabase(context));
  context.get(siteContext).notices.wake();
  return redirectWithToast(page === "board" ? href("/admin") : section(), {
    type: "success",
    message: "تُعاد المحاولة الآن",
  });
}

/** Sends a test, and says what came of it. @param chosen the way, as it was sent */
export async function testNotices(context: Context, chosen: string): Promise<Response> {
  const way = noticeWays.find((known) => known === chosen);
  const to = way && (await beginNoticeTest(getSupabase(context), way));
  if (way === undefined || to === undefined) {
    const message = way ? "انتظر نصف دقيقة بين تجربتين" : "اختر طريقة من القائمة";
    return redirectWithToast(section(), { type: "error", message });
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
