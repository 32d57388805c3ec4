import type { ContentfulStatusCode } from "hono/utils/http-status";

/** A refusal that the client may see, with GoTrue's error code and text. */
export class AuthError extends Error {
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly details: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    status: ContentfulStatusCode,
    code: string,
    message: string,
    extra: { details?: Record<string, unknown>; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.name = "AuthError";
    this.status = status;
    this.code = code;
    this.details = extra.details ?? {};
    this.headers = extra.headers ?? {};
  }
}

const firstVersion = "2024-01-01";

/** The response, in the format of the client's X-Supabase-Api-Version. */
export function errorResponse(error: AuthError, apiVersion: string | undefined): Response {
  const headers = { "x-sb-error-code": error.code, ...error.headers };
  if (apiVersion && /^\d{4}-\d{2}-\d{2}$/.test(apiVersion) && apiVersion >= firstVersion) {
    return Response.json(
      { code: error.code, message: error.message, ...error.details },
      { status: error.status, headers: { ...headers, "X-Supabase-Api-Version": firstVersion } },
    );
  }
  return Response.json(
    { code: error.status, error_code: error.code, msg: error.message, ...error.details },
    { status: error.status, headers },
  );
}

/** 400 for missing or wrong fields. */
export function validationFailed(message: string): AuthError {
  return new AuthError(400, "validation_failed", message);
}

/** 422 for the address of another account. */
export function emailExists(): AuthError {
  return new AuthError(
    422,
    "email_exists",
    "A user with this email address has already been registered",
  );
}

/**
 * 429 in the sentence that GoTrue has for mails. It tells the wait to who does not see the headers,
 * such as those who use its client.
 */
export function mustWait(
  code: "over_request_rate_limit" | "over_email_send_rate_limit",
  seconds: number,
): AuthError {
  return new AuthError(
    429,
    code,
    `For security purposes, you can only request this after ${seconds} seconds.`,
    { headers: { "Retry-After": String(seconds) } },
  );
}

/** For the log: messages of PostgreSQL can hold values of a row. */
export function errorName(error: unknown): string {
  if (!(error instanceof Error)) {
    return "no error";
  }
  return "code" in error ? `${error.name} ${String(error.code)}` : error.name;
}
