import { CodeField, EmailField } from "#app/components/form-parts.tsx";
import { PostForm } from "#app/components/post-form.tsx";
import type { FormResult } from "#app/lib/form-errors.ts";

interface Props {
  submit: string;
  result: FormResult<"email" | "code"> | undefined;
}

/** A form for a mail's code, for a mail that was opened on another device. */
export function MailedCodeForm({ submit, result }: Props) {
  const { errors, values } = result ?? {};
  return (
    <div className="grid gap-4">
      <p className="text-muted">اكتب العنوان الذي وصلته الرسالة، والرمز الذي فيها.</p>
      <PostForm submit={submit} failure={undefined}>
        <EmailField autoComplete="username" defaultValue={values?.email} error={errors?.email} />
        <CodeField label="الرمز من الرسالة" required error={errors?.code} />
      </PostForm>
    </div>
  );
}
