import { href, type RouterContextProvider } from "react-router";
import { backupFault } from "#app/lib/backup-text.ts";
import { readNoticeChannels } from "#app/models/notices.server.ts";
import { siteContext } from "#app/session/site-context.server.ts";
import { getSupabase } from "#app/session/supabase.server.ts";

export interface BoardFault {
  text: string;
  /** The text of the link to the account page. */
  link: string;
  to: string;
  /** Whether the board shows a button that retries the notices. */
  canRetry?: boolean;
}

/** Faults of backups and notices that the inbox's owner, who is the caller, should fix. */
export async function readFaults(context: Readonly<RouterContextProvider>): Promise<BoardFault[]> {
  const { backend } = context.get(siteContext);
  const [backups, channels] = await Promise.all([
    backend.backups?.(),
    readNoticeChannels(getSupabase(context)),
  ]);
  const faults: BoardFault[] = [];
  const late = backups ? backupFault(backups, Date.now()) : undefined;
  if (late !== undefined) {
    faults.push({ text: late, link: "النسخ الاحتياطي", to: `${href("/account")}#backups` });
  }
  const to = `${href("/account")}#notices`;
  const undelivered = channels.filter((channel) => channel.undelivered !== undefined);
  if (undelivered.length > 0) {
    const texts = undelivered.map(
      (channel) => `${channel.undelivered} عبر ${channel.name}: ${channel.cause}.`,
    );
    faults.push({ text: texts.join(" "), link: "التنبيهات", to, canRetry: true });
  } else if (channels.length === 0) {
    faults.push({ text: "لا تصلك تنبيهات بالرسائل الجديدة.", link: "اختر طريقة", to });
  }
  return faults;
}
