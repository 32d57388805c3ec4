import { type ComponentProps, useState } from "react";

type Props = { label: string; error?: string | undefined } & (
  | ({ as?: "input" } & ComponentProps<"input">)
  | ({ as: "textarea" } & ComponentProps<"textarea">)
);

/** Hydration would overwrite text that was typed before scripts loaded. */
function useDefaultValue<Value extends ComponentProps<"textarea">["defaultValue"]>(
  id: string | undefined,
  value: Value,
) {
  const [rendered] = useState(() => {
    if (!id || !value || typeof document === "undefined") {
      return undefined;
    }
    const area = document.getElementById(id);
    return area instanceof HTMLTextAreaElement ? { value, typed: area.value } : undefined;
  });
  return rendered?.value === value ? rendered?.typed : value;
}

/** The first error takes the focus when the page loads. A text area fills the form. */
export function Field({ label, error, as: Input = "input", ...props }: Props) {
  const id = props.id ?? props.name;
  const defaultValue = useDefaultValue(id, props.defaultValue);
  const errorId = `${id}-error`;
  const wrong = error && { "aria-invalid": true, "aria-describedby": errorId, autoFocus: true };
  return (
    <div className="grid content-start gap-1.5 has-[textarea]:grow has-[textarea]:grid-rows-[auto_1fr]">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {/* @ts-expect-error: the union of both elements' props is checked where Field is used */}
      <Input
        {...props}
        {...wrong}
        id={id}
        defaultValue={defaultValue}
        className="min-h-12 w-full rounded-xl border border-field bg-surface px-4 py-2.5 transition scroll-my-12 focus:border-brand aria-invalid:border-danger"
      />
      {error && (
        <p id={errorId} className="text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </div>
  );
}
