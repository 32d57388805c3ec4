import { href } from "react-router";
import { redirectWithToast } from "remix-toast";
import { resetCounts, switchCounting } from "#app/models/counts.server.ts";
import { readInboxState } from "#app/models/inbox.server.ts";
import { getSupabase } from "#app/session/clients.server.ts";
import { type RouterContext, siteContext } from "#app/session/site-context.server.ts";

const done = { on: "يُعدّ من الآن", off: "توقف العدّ", reset: "صُفّرت الأرقام" };
type Change = keyof typeof done;

const isChange = (value: unknown): value is Change =>
  typeof value === "string" && Object.hasOwn(done, value);

/** The action of the buttons named `counts`. Refuses accounts that do not own the inbox. */
export async function changeCounts(context: RouterContext, change: unknown): Promise<Response> {
  const supabase = getSupabase(context);
  const { owner } = await readInboxState(supabase);
  if (owner !== "me" || !isChange(change)) {
    const message = "لم يتغير العدّ: هو لصاحب الصندوق وحده";
    return redirectWithToast(href("/account"), { type: "error", message });
  }
  // What this process has not saved yet belongs to the time before.
  await context.get(siteContext).counters.save();
  await (change === "reset" ? resetCounts(supabase) : switchCounting(supabase, change === "on"));
  return redirectWithToast(`${href("/account")}#counts`, {
    type: "success",
    message: done[change],
  });
}
