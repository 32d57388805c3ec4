import { type ComponentProps, type ReactNode, useRef } from "react";
import { Form } from "react-router";
import { buttonClass } from "./button.ts";
import { Field } from "./field.tsx";
import { focusWrong, useBusyForm } from "./use-busy-form.ts";

interface FormCardProps extends ComponentProps<typeof Form> {
  submit: string;
  failure: string | undefined;
}

/**
 * A form with its failure above the button that sends it; disabled while a request runs.
 * When it comes back the first wrong field has the focus.
 */
export function PostForm({ submit, failure, children, ...props }: FormCardProps) {
  const form = useRef<HTMLFormElement>(null);
  const busy = useBusyForm(() => focusWrong(form.current));
  return (
    <Form ref={form} method="post" {...props}>
      <fieldset disabled={busy} className="grid gap-5">
        {children}
        {failure && <Failure {...goesThere}>{failure}</Failure>}
        <button type="submit" className={buttonClass("primary", "min-h-14 text-lg")}>
          {busy ? "جاري التحميل..." : submit}
        </button>
      </fieldset>
    </Form>
  );
}

/** For a failure far down the page: the browser goes there when the page comes back with it. */
export const goesThere = { tabIndex: -1, autoFocus: true };

export function Failure(props: ComponentProps<"p">) {
  return <p role="alert" {...props} className="rounded-xl bg-danger-tint p-4 text-danger" />;
}

/** Something to know before going on. */
export function Hint({ children }: { children: ReactNode }) {
  return <div className="grid gap-1 rounded-xl bg-tint p-4 wrap-anywhere">{children}</div>;
}

type FieldProps = Omit<ComponentProps<"input">, "ref"> & { error: string | undefined };

/** A text field: the browser's own check would refuse the hidden marks that the site takes away. */
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
      spellCheck={false}
      dir="ltr"
      required
      {...props}
    />
  );
}

/** Six digits; a text field, because Arabic digits and groups are welcome. */
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
