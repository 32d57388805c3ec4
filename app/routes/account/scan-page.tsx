import { CodeField } from "#app/components/form-parts.tsx";
import { PostForm } from "#app/components/post-form.tsx";
import { AccountCardPage } from "./account-card-page.tsx";
import type { Scan } from "./enrolment.server.ts";

interface Props {
  scan: Scan;
  error: string | undefined;
  failure: string | undefined;
}

export function ScanPage({ scan: { factor, uri, qrCode, secret }, error, failure }: Props) {
  return (
    <AccountCardPage title="امسح الرمز بالتطبيق">
      <p className="text-muted">
        افتح تطبيق المصادقة، واختر إضافة حساب، ثم وجّه الكاميرا إلى هذا المربع.
      </p>
      <img
        src={qrCode}
        alt="رمز مربع يقرؤه تطبيق المصادقة؛ المفتاح نفسه مكتوب بعده"
        width="240"
        height="240"
        className="mx-auto rounded-2xl border border-line"
      />
      <div className="grid gap-1">
        <p className="text-sm text-muted">لا تستطيع مسحه؟ اكتب هذا المفتاح في التطبيق:</p>
        <p
          dir="ltr"
          aria-label="مفتاح التطبيق"
          className="rounded-xl bg-tint p-3 text-center font-mono text-balance select-all"
        >
          {secret.match(/.{1,4}/g)?.join(" ")}
        </p>
      </div>
      <PostForm submit="تأكيد وتفعيل" failure={failure}>
        <input type="hidden" name="factor" value={factor} />
        <input type="hidden" name="uri" value={uri} />
        <CodeField label="الرمز الظاهر في التطبيق" required error={error} />
      </PostForm>
    </AccountCardPage>
  );
}
