import type { Context } from "hono";
import type { z } from "zod";
import { isDeeperThan } from "#embedded/json-depth.ts";
import { AuthError, validationFailed } from "./errors.ts";

const maxDepth = 32;

/** Parses the JSON body by `schema`. Throws AuthError 400 bad_json or validation_failed. */
export async function readBody<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  const parsed = schema.safeParse(parseJson(await c.req.text()));
  if (parsed.success) {
    return parsed.data;
  }
  const [issue] = parsed.error.issues;
  throw validationFailed(`${issue?.path.join(".") ?? "body"}: ${issue?.message ?? "not valid"}`);
}

function parseJson(text: string): object {
  if (isDeeperThan(text, maxDepth)) {
    throw badJson("The request body is nested too deeply");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badJson("Could not parse request body as JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw badJson("The request body must be a JSON object");
  }
  if (!isStorable(value)) {
    throw badJson("The request body contains text that cannot be stored");
  }
  return value;
}

// PostgreSQL refuses NUL and lone surrogates in text and jsonb.
function isStorable(value: unknown): boolean {
  if (typeof value === "string") {
    return !value.includes("\0") && value.isWellFormed();
  }
  if (typeof value !== "object" || value === null) {
    return true;
  }
  return Object.entries(value).every(([key, entry]) => isStorable(key) && isStorable(entry));
}

function badJson(message: string): AuthError {
  return new AuthError(400, "bad_json", message);
}
