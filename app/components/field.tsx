import type { ComponentProps } from "react";

type Props = { label: string; error?: string | undefined } & (
  | ({ as?: "input" } & ComponentProps<"input">)
  | ({ as: "textarea" } & ComponentProps<"textarea">)
);

/**
 * A labelled input with its error beside it, tied to it for screen readers. On a page that
 * comes back with errors the browser focuses the first.
 */
export function Field({ label, error, as: Input = "input", ...props }: Props) {
  const id = props.id ?? props.name;
  const errorId = `${id}-error`;
  const wrong = error && { "aria-invalid": true, "aria-describedby": errorId, autoFocus: true };
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {/* @ts-expect-error: the union of both elements' props is checked where Field is used */}
      <Input
        {...props}
        {...wrong}
        id={id}
        className="min-h-12 w-full rounded-xl border border-field bg-ground px-4 py-2.5 transition focus:border-brand aria-invalid:border-danger"
      />
      {error && (
        <p id={errorId} className="text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </div>
  );
}
