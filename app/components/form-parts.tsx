import type { ComponentProps, ReactNode } from "react";
import { Field } from "./field.tsx";

export function Failure(props: ComponentProps<"p">) {
  return <p role="alert" {...props} className="rounded-xl bg-danger-tint p-4 text-danger" />;
}

export function Hint({ children }: { children: ReactNode }) {
  return <div className="grid gap-1 rounded-xl bg-tint p-4 wrap-anywhere">{children}</div>;
}

type FieldProps = Omit<ComponentProps<"input">, "ref"> & { error: string | undefined };

/** A text field, because browsers refuse addresses with the hidden marks that the site removes. */
export function EmailField({
  label = "البريد الإلكتروني",
  ...props
}: FieldProps & { label?: string }) {
  return (
    <Field
      label={label}
      name="email"
      inputMode="email"
      autoComplete="email"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      dir="ltr"
      required
      {...props}
    />
  );
}

/** A code, in a text field, because Arabic digits and spaces between groups are allowed. */
export function CodeField({ label = "رمز التحقق", ...props }: FieldProps & { label?: string }) {
  return (
    <Field
      label={label}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      dir="ltr"
      maxLength={12}
      {...props}
    />
  );
}

interface PasswordProps extends FieldProps {
  label: string;
  autoComplete: "current-password" | "new-password";
}

export function PasswordField({ label, ...props }: PasswordProps) {
  return <Field label={label} type="password" dir="ltr" {...props} />;
}
