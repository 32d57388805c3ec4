import type { Context } from "hono";
import type { z } from "zod";
import { AuthError, validationFailed } from "./errors.ts";

const maxDepth = 32;

/**
 * The request's JSON body, checked by `schema`. Throws AuthError: 400 bad_json when it is no
 * JSON object or holds what PostgreSQL cannot store, 400 validation_failed when fields do not fit.
 */
export async function readBody<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  const parsed = schema.safeParse(parseJson(await c.req.text()));
  if (parsed.success) {
    return parsed.data;
  }
  const [issue] = parsed.error.issues;
  throw validationFailed(`${issue?.path.join(".") ?? "body"}: ${issue?.message ?? "not valid"}`);
}

function parseJson(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badJson("Could not parse request body as JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw badJson("The request body must be a JSON object");
  }
  if (!isStorable(value, 0)) {
    throw badJson("The request body holds text that cannot be stored");
  }
  return value;
}

// PostgreSQL refuses NUL and lone surrogates in text and jsonb, and deep nesting in jsonb.
function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === "string") {
    return !value.includes("\0") && value.isWellFormed();
  }
  if (typeof value !== "object" || value === null) {
    return true;
  }
  if (depth === maxDepth) {
    return false;
  }
  return Object.entries(value).every(
    ([key, entry]) => isStorable(key, depth) && isStorable(entry, depth + 1),
  );
}

function badJson(message: string): AuthError {
  return new AuthError(400, "bad_json", message);
}
