export interface BackupState {
  at: Date | undefined;
  fault: "full" | "refused" | "other" | undefined;
}

const causes = {
  full: "تعذّرت النسخة الاحتياطية الأخيرة: القرص ممتلئ.",
  refused: "تعذّرت النسخة الاحتياطية الأخيرة: لا تمكن الكتابة في مجلد النسخ.",
  other: "تعذّرت النسخة الاحتياطية الأخيرة، وسببها في سجل الموقع.",
};

const hour = 60 * 60_000;
/** One failed night is not reported, two are. */
const late = 48 * hour;

/** The Arabic sentence for failed or late backups, or undefined. @param now in milliseconds */
export function backupFault({ at, fault }: BackupState, now: number): string | undefined {
  if (fault !== undefined) {
    return causes[fault];
  }
  return at && now - at.getTime() > late
    ? `لم تُحفظ نسخة احتياطية منذ يومين أو أكثر، وآخرها ${agoText(at, now)}.`
    : undefined;
}

const relative = new Intl.RelativeTimeFormat("ar-SA-u-nu-arab");

/** A relative time: «قبل ٣ ساعات». @param now in milliseconds */
export function agoText(at: Date, now: number): string {
  const minutes = Math.max(1, Math.floor((now - at.getTime()) / 60_000));
  if (minutes < 60) {
    return relative.format(-minutes, "minute");
  }
  return minutes < 48 * 60
    ? relative.format(-Math.floor(minutes / 60), "hour")
    : relative.format(-Math.floor(minutes / (24 * 60)), "day");
}
