import { href } from "react-router";
import { buttonClass } from "#app/components/button.ts";
import { CardPage } from "#app/components/card-page.tsx";
import { EmailField } from "#app/components/form-parts.tsx";
import { PostForm } from "#app/components/post-form.tsx";
import type { FormResult } from "#app/lib/form-errors.ts";

interface Props {
  title: string;
  submit: string;
  result: FormResult<"email"> | undefined;
  children: string;
}

export function MailForm({ title, submit, result, children }: Props) {
  return (
    <CardPage title={title}>
      <p className="text-muted">{children}</p>
      <PostForm submit={submit} failure={result?.failure}>
        <EmailField
          autoComplete="username"
          defaultValue={result?.values?.email}
          error={result?.errors.email}
        />
      </PostForm>
      <a href={href("/auth")} className={buttonClass("text")}>
        العودة إلى تسجيل الدخول
      </a>
    </CardPage>
  );
}
