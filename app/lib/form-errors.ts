import type { $ZodError } from "zod/v4/core";

type FieldErrors<Field extends string> = Partial<Record<Field, string>>;

export interface FormResult<Field extends string> {
  errors: FieldErrors<Field>;
  /** The typed values, without secrets. */
  values?: Partial<Record<Field, string>>;
  failure?: string;
}

/** The first message of each field of a failed parse. */
export function fieldErrors<Shape extends Record<string, unknown>>(
  error: $ZodError<Shape>,
): FieldErrors<keyof Shape & string> {
  const errors: FieldErrors<string> = {};
  for (const issue of error.issues) {
    const field = String(issue.path[0]);
    errors[field] ??= issue.message;
  }
  return errors;
}

/** A form's text fields. A missing field and a file are an empty text. */
export function textFields<const Field extends string>(
  form: Pick<FormData, "get">,
  fields: readonly Field[],
): Record<Field, string> {
  const entries = fields.map((field) => {
    const value = form.get(field);
    return [field, typeof value === "string" ? value : ""];
  });
  return Object.fromEntries(entries) as Record<Field, string>;
}
