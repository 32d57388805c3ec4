import { href, type RouterContextProvider } from "react-router";
import { backupFault } from "#app/lib/backup-text.ts";
import { readNoticeWays } from "#app/models/notices.server.ts";
import { siteContext } from "#app/session/site-context.server.ts";
import { getSupabase } from "#app/session/supabase.server.ts";

export interface BoardFault {
  text: string;
  /** What leads to it on the account page. */
  link: string;
  to: string;
  /** Whether the board has a button that tries the notices again. */
  canRetry?: boolean;
}

/** What the inbox's owner, who is the caller, should know and mend. */
export async function readFaults(context: Readonly<RouterContextProvider>): Promise<BoardFault[]> {
  const { backend } = context.get(siteContext);
  const [backups, ways] = await Promise.all([
    backend.backups?.(),
    readNoticeWays(getSupabase(context)),
  ]);
  const faults: BoardFault[] = [];
  const late = backups ? backupFault(backups, Date.now()) : undefined;
  if (late !== undefined) {
    faults.push({ text: late, link: "النسخ الاحتياطي", to: `${href("/account")}#backups` });
  }
  const to = `${href("/account")}#notices`;
  const untold = ways.filter((way) => way.untold !== undefined);
  if (untold.length > 0) {
    const texts = untold.map((way) => `${way.untold} عبر ${way.name}: ${way.cause}.`);
    faults.push({ text: texts.join(" "), link: "التنبيهات", to, canRetry: true });
  } else if (ways.length === 0) {
    faults.push({ text: "لا تصلك تنبيهات بالرسائل الجديدة.", link: "اختر طريقة", to });
  }
  return faults;
}
