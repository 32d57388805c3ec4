import { href } from "react-router";
import { buttonClass } from "#app/components/button.ts";
import { CardPage } from "#app/components/card-page.tsx";

export function RecoveryCodesPage({ codes }: { codes: string[] }) {
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join("\n")}\n`)}`;
  return (
    <CardPage title="رموز الاسترداد">
      <p>
        احفظ هذه الرموز في مكان آمن الآن، فلن تُعرض مرة أخرى. إن فقدت هاتفك فادخل بأحدها، ويعمل كل رمز
        مرة واحدة.
      </p>
      <ol
        aria-label="رموز الاسترداد"
        dir="ltr"
        className="grid gap-x-6 gap-y-1 rounded-xl bg-tint p-4 text-center font-mono text-lg select-all"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="grid gap-3">
        <a href={file} download="recovery-codes.txt" className={buttonClass("quiet")}>
          تنزيلها في ملف
        </a>
        <a href={href("/account")} className={buttonClass("primary", "min-h-14 text-lg")}>
          حفظتها
        </a>
      </div>
    </CardPage>
  );
}
