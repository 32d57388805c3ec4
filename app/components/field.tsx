import type { ComponentProps, ReactNode } from "react";

interface LabelProps {
  label: string;
  error?: string | undefined;
}

export const frameClass =
  "w-full rounded-xl border border-field px-4 focus:border-brand aria-invalid:border-2 aria-invalid:border-danger";
const boxClass = `${frameClass} min-h-12 bg-surface py-2.5`;

/** A labelled text field. The first field with an error takes the focus when the page loads. */
export function Field({ label, error, ...props }: LabelProps & ComponentProps<"input">) {
  const id = props.id ?? props.name;
  return (
    <Labelled id={id} label={label} error={error}>
      <input {...props} {...ofError(id, error)} id={id} className={boxClass} />
    </Labelled>
  );
}

/** Same as Field for several lines. */
export function TextArea({ label, error, ...props }: LabelProps & ComponentProps<"textarea">) {
  const id = props.id ?? props.name;
  return (
    <Labelled id={id} label={label} error={error}>
      <textarea {...props} {...ofError(id, error)} id={id} className={boxClass} />
    </Labelled>
  );
}

/**
 * What says a field's error. Without `aria-invalid` a screen reader calls a required field invalid before anything
 * is typed.
 */
export const ofError = (id: string | undefined, error: string | undefined) =>
  error
    ? { "aria-invalid": true, "aria-describedby": `${id}-error`, autoFocus: true }
    : { "aria-invalid": false };

function Labelled(props: LabelProps & { id: string | undefined; children: ReactNode }) {
  const { id, label, error, children } = props;
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="font-bold">
        {label}
      </label>
      {children}
      {error && (
        <p id={`${id}-error`} className="text-sm text-danger">
          {error}
        </p>
      )}
    </div>
  );
}
