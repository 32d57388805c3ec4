import { Disclosure } from "#app/components/disclosure.tsx";
import { CodeField, PasswordField } from "#app/components/form-parts.tsx";
import { useLastActionData } from "#app/hooks/use-last-action-data.ts";

interface Props {
  hasFactor: boolean;
  errors: { code?: string; current?: string } | undefined;
}

/** Fields for a fresh code or the password, because a session can be stolen. */
export function ProofFields({ hasFactor, errors }: Props) {
  const wasWrong = useLastActionData(errors?.current) !== undefined;
  const password = (
    <PasswordField
      label="كلمة المرور الحالية"
      name="current"
      autoComplete="current-password"
      required={!hasFactor}
      error={errors?.current}
    />
  );
  if (!hasFactor) {
    return password;
  }
  return (
    <>
      <CodeField label="رمز جديد من تطبيق المصادقة" error={errors?.code} />
      <Disclosure
        title="أو استعمل كلمة المرور"
        open={wasWrong}
        className="rounded-xl border border-line px-4 py-2"
      >
        <div className="py-3">{password}</div>
      </Disclosure>
    </>
  );
}
