import { href } from "react-router";
import { readChannels } from "#app/models/notifications.server.ts";
import { backupFault } from "#app/routes/account/backups.server.ts";
import { getSupabase } from "#app/session/clients.server.ts";
import { type RouterContext, siteContext } from "#app/session/site-context.server.ts";

export interface BoardFault {
  text: string;
  /** The text of the link to the account page. */
  link: string;
  to: string;
  /** Whether it is only advice, because nothing failed. Advice does not belong above the messages. */
  isTip?: boolean;
}

/** Faults of backups and notifications that the inbox's owner, who is the caller, should fix. */
export async function readFaults(context: RouterContext): Promise<BoardFault[]> {
  const { backend, notifications } = context.get(siteContext);
  const [backups, channels] = await Promise.all([
    backend.backups?.(),
    readChannels(getSupabase(context), notifications.channels),
  ]);
  const faults: BoardFault[] = [];
  const late = backups ? backupFault(backups, Date.now()) : undefined;
  if (late !== undefined) {
    faults.push({ text: late, link: "النسخ الاحتياطي", to: `${href("/account")}#backups` });
  }
  const to = `${href("/account")}#notifications`;
  const undelivered = channels.filter((channel) => channel.undelivered !== undefined);
  if (undelivered.length > 0) {
    const texts = undelivered.map(
      (channel) => `${channel.undelivered} عبر ${channel.name}: ${channel.cause}.`,
    );
    faults.push({ text: texts.join(" "), link: "التنبيهات", to });
  } else if (channels.length === 0) {
    faults.push({
      text: "لا تصلك تنبيهات بالرسائل الجديدة.",
      link: "اختر طريقة",
      to,
      isTip: true,
    });
  }
  return faults;
}
