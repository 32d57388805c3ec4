import { data } from "react-router";
import { type $ZodObject, type output, safeParse } from "zod/v4/core";
import { type FormResult, fieldErrors, textFields } from "#app/lib/form-errors.ts";
import type { AuthRefusal } from "#app/models/account/refusal.ts";
import { authErrorText, refusalText } from "./auth/auth-errors.ts";

export interface Problem<Field extends string> extends ResponseInit {
  errors?: FormResult<Field>["errors"];
  failure?: string;
}

export function showAgain<Field extends string>(
  { errors = {}, failure, ...init }: Problem<Field>,
  values: FormResult<Field>["values"] = {},
) {
  return data<FormResult<Field>>({ values, errors, ...(failure && { failure }) }, init);
}

/** Converts a refusal to an error of `field`, or of the whole form without `field`. */
export function problemOf<Field extends string = never>(
  refusal: AuthRefusal,
  field?: Field,
): Problem<Field> {
  const { status, code, wait } = refusal;
  const isPassword = field === "current" && code === "invalid_credentials";
  const text = isPassword ? authErrorText("current_password_invalid") : refusalText(refusal);
  return {
    status,
    ...(wait !== undefined && { headers: { "Retry-After": String(wait) } }),
    ...(field === undefined
      ? { failure: text }
      : { errors: { [field]: text } as Problem<Field>["errors"] }),
  };
}

interface Options<Field extends string> {
  /** The fields of the form; default: all fields of the schema. */
  fields?: readonly Field[];
  /** Fields whose typed values are shown again. Never passwords. */
  keep?: readonly Field[];
}

/** Returns the data and `refuse`, which shows the form again; or `refused`, the errors with a 400. */
export function readForm<Schema extends $ZodObject & { shape: object }>(
  form: FormData,
  schema: Schema,
  options: Options<keyof output<Schema> & string> = {},
) {
  type Field = keyof output<Schema> & string;
  const { fields = Object.keys(schema.shape) as Field[], keep = [] } = options;
  const kept: FormResult<Field>["values"] = textFields(form, keep);
  const result = safeParse(schema, textFields(form, fields));
  if (!result.success) {
    const errors = fieldErrors(result.error) as FormResult<Field>["errors"];
    return { ok: false as const, refused: showAgain<Field>({ status: 400, errors }, kept) };
  }
  return {
    ok: true as const,
    data: result.data,
    refuse: <Other extends string = never>(problem: Problem<Field | Other>) =>
      showAgain<Field | Other>(problem, kept),
  };
}
