import { agoText, backupFault, type BackupState } from "#app/lib/backup-text.ts";
import { longDate } from "#app/models/date.ts";
import { SectionCard } from "./section-card.tsx";

/** What the section shows, as texts of one moment. */
export function describeBackups(state: BackupState | null, now = Date.now()) {
  return {
    isSetUp: state !== null,
    fault: state ? backupFault(state, now) : undefined,
    newest: state?.at && { time: state.at.toISOString(), ago: agoText(state.at, now) },
  };
}

export function BackupsSection({ isSetUp, fault, newest }: ReturnType<typeof describeBackups>) {
  return (
    <SectionCard id="backups" title="النسخ الاحتياطي" wide>
      {fault !== undefined && (
        <p className="rounded-xl border border-field bg-tint px-4 py-3">{fault}</p>
      )}
      {newest && (
        <p>
          {`آخر نسخة ${newest.ago}: `}
          <time dateTime={newest.time}>{longDate(newest.time)}</time>
        </p>
      )}
      {isSetUp && !newest && <p>لم تُحفظ نسخة بعد.</p>}
      {!isSetUp && (
        <p>
          لا تُحفظ نسخ احتياطية من رسائلك. حدّد مجلدها في إعداد <bdi dir="ltr">BACKUP_DIR</bdi>.
        </p>
      )}
    </SectionCard>
  );
}
