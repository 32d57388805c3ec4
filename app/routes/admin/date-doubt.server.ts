import { href } from "react-router";
import { redirectWithToast } from "remix-toast";
import { log } from "#app/lib/log.server.ts";
import { confirmDate, readDateDoubt } from "#app/models/date-doubt.server.ts";
import { longDate } from "#app/models/date.server.ts";
import { momentSchema } from "#app/models/inbox-forms.server.ts";
import { getAccount } from "#app/session/guards.server.ts";
import type { RouterContext } from "#app/session/site-context.server.ts";
import { getSupabase } from "#app/session/supabase.server.ts";

/** The date that the inbox's owner should look at. */
export interface ShownDoubt {
  now: string;
  before: string;
  /** Whether it does not end by itself. */
  asks: boolean;
  /** The value of the button that confirms the date. */
  moment: string;
}

/** What the board shows of a doubt to the inbox's owner. @throws {Response} */
export async function showDateDoubt(context: RouterContext): Promise<ShownDoubt | undefined> {
  const doubt = await readDateDoubt(getSupabase(context));
  return (
    doubt && {
      now: longDate(doubt.database_time),
      before: longDate(doubt.trusted_time),
      asks: doubt.asks,
      moment: doubt.database_time,
    }
  );
}

const results = {
  confirmed: "أُكّد التاريخ. يعود حذف القديم خلال ساعة.",
  changed: "لم يُؤكَّد: تغيّر تاريخ الخادم منذ فتحت الصفحة. راجعه من جديد.",
  refused: "لم يُؤكَّد: لا يؤكد التاريخ إلا صاحب الصندوق.",
};

/** The action of the panel's button. */
export async function confirmShownDate(moment: unknown, context: RouterContext) {
  const { data: shown } = momentSchema.safeParse(moment);
  const result = shown === undefined ? "changed" : await confirmDate(getSupabase(context), shown);
  if (result === "confirmed") {
    log.info("The owner confirmed the date", { account: getAccount(context).id });
  }
  return redirectWithToast(href("/admin"), {
    type: result === "confirmed" ? "success" : "error",
    message: results[result],
  });
}
