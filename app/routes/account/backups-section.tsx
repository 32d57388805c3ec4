import type { describeBackups } from "./backups.server.ts";
import { DocumentLink } from "./document-link.tsx";
import { Section } from "./section.tsx";

export function BackupsSection({ isSetUp, fault, newest }: ReturnType<typeof describeBackups>) {
  return (
    <Section
      id="backups"
      title="النسخ الاحتياطي"
      text={
        isSetUp
          ? (newest && (
              <>
                {`آخر نسخة ${newest.ago}: `}
                <time dateTime={newest.time}>{newest.date}</time>
              </>
            )) ||
            "لم تُحفظ نسخة بعد."
          : "لا تُحفظ نسخ احتياطية من رسائلك. حدّد للموقع مجلدًا يحفظها فيه كل ليلة."
      }
      action={!isSetUp && <DocumentLink part="النسخ-الاحتياطية" label="النسخ الاحتياطي" />}
    >
      {fault !== undefined && (
        <p className="rounded-xl border border-field bg-tint px-4 py-3">{fault}</p>
      )}
    </Section>
  );
}
