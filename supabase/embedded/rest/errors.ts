import { DatabaseError } from "pg";
import { ConnectionError, NoConnectionError } from "#embedded/sql.ts";

interface ErrorParts {
  code: string;
  message: string;
  details?: string | null;
  hint?: string | null;
  headers?: Record<string, string>;
}

/** A refusal in PostgREST's format. `code` is a PostgREST code or an SQLSTATE. */
export class RestError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: string | null;
  readonly hint: string | null;
  readonly headers: Record<string, string>;

  constructor(status: number, parts: ErrorParts) {
    super(parts.message);
    this.status = status;
    this.code = parts.code;
    this.details = parts.details ?? null;
    this.hint = parts.hint ?? null;
    this.headers = parts.headers ?? {};
  }

  get response(): Response {
    const { status, code, details, hint, message, headers } = this;
    return Response.json({ code, details, hint, message }, { status, headers });
  }
}

/**
 * PostgREST's status by SQLSTATE. The first pattern that matches decides, and 400 is for all others.
 */
const statuses: readonly [RegExp, number][] = [
  // 57P02 and 57P03 are 500 in PostgREST. The server is starting or has crashed, so a retry helps.
  [/^(08|53|57P0[123])/, 503],
  [/^(23503|23505)/, 409],
  [/^P0001/, 400],
  [/^(21|25|40|54|55|57|58|P0|XX)/, 500],
];

/**
 * Converts an error to PostgREST's answer for `role`. Returns undefined for an unexpected error.
 */
export function knownError(error: unknown, role: string): RestError | undefined {
  if (error instanceof RestError) {
    return error;
  }
  if (error instanceof DatabaseError) {
    return ofStatement(error, role);
  }
  if (!(error instanceof ConnectionError)) {
    return undefined;
  }
  return new RestError(503, {
    // With the second code nobody knows what was committed.
    code: error instanceof NoConnectionError ? "PGRST000" : "PGRST001",
    message: "Database client error. Retrying the connection.",
    headers: { "Retry-After": "1" },
  });
}

function ofStatement(error: DatabaseError, role: string): RestError {
  const { code = "XX000", message, detail, hint } = error;
  const status = statusOf(code, role);
  // The detail of a constraint's error quotes the row, which anon may not read.
  const details = role === "anon" && code.startsWith("23") ? null : (detail ?? null);
  return new RestError(status, {
    code,
    message,
    details,
    hint: hint ?? null,
    headers: {
      // Ours: the detail of a 429 is the seconds to wait.
      ...(status === 429 && /^\d{1,9}$/.test(detail ?? "") && { "Retry-After": detail ?? "" }),
      ...(status === 503 && { "Retry-After": "1" }),
    },
  });
}

function statusOf(code: string, role: string): number {
  // A function can choose the status by such a code, as in PostgREST: PT429 is 429.
  if (/^PT[45]\d\d$/.test(code)) {
    return Number(code.slice(2));
  }
  if (code === "42501") {
    return role === "anon" ? 401 : 403;
  }
  return statuses.find(([pattern]) => pattern.test(code))?.[1] ?? 400;
}
