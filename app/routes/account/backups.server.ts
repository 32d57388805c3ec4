import { agoText, longDate } from "#app/models/date.server.ts";
import type { BackupState } from "#app/site-contract.server.ts";

const causes = {
  full: "تعذّرت النسخة الاحتياطية الأخيرة: القرص ممتلئ.",
  refused: "تعذّرت النسخة الاحتياطية الأخيرة: لا تمكن الكتابة في مجلد النسخ.",
  other: "تعذّرت النسخة الاحتياطية الأخيرة، وسببها في سجل الموقع.",
};

/** Two days without a backup are reported, whatever the cause. */
const lateMs = 48 * 60 * 60_000;

/** The Arabic sentence for failed or late backups, or undefined. @param now in milliseconds */
export function backupFault({ at, fault }: BackupState, now: number): string | undefined {
  if (fault !== undefined) {
    return causes[fault];
  }
  return at && now - at.getTime() > lateMs
    ? `لم تُحفظ نسخة احتياطية منذ يومين أو أكثر، وآخرها ${agoText(at, now)}.`
    : undefined;
}

/** The state of the backups for the account page. @param state null without BACKUP_DIR */
export function describeBackups(state: BackupState | null) {
  const now = Date.now();
  const time = state?.at?.toISOString();
  return {
    isSetUp: state !== null,
    fault: state ? backupFault(state, now) : undefined,
    newest: state?.at && time && { time, date: longDate(time), ago: agoText(state.at, now) },
  };
}
