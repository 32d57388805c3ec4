import type { describeBackups } from "./backups.server.ts";
import { SectionCard } from "./section-card.tsx";

export function BackupsSection({ isSetUp, fault, newest }: ReturnType<typeof describeBackups>) {
  return (
    <SectionCard id="backups" title="النسخ الاحتياطي" wide>
      {fault !== undefined && (
        <p className="rounded-xl border border-field bg-tint px-4 py-3">{fault}</p>
      )}
      {newest && (
        <p>
          {`آخر نسخة ${newest.ago}: `}
          <time dateTime={newest.time}>{newest.date}</time>
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
