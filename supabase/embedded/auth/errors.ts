import type { ContentfulStatusCode } from "hono/utils/http-status";

/** An error that the client may see, with GoTrue's code and message. */
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

/** Returns the response in the format of 2024-01-01, which auth-js asks for. */
export function errorResponse({ status, code, message, details, headers }: AuthError): Response {
  return Response.json(
    { code, message, ...details },
    { status, headers: { ...headers, "X-Supabase-Api-Version": "2024-01-01" } },
  );
}

/** 400 for missing or invalid fields. */
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

/** 429 with GoTrue's message for mails. It has the seconds, because auth-js hides the headers. */
export function retryAfter(
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

/** Returns what may be logged of an error: PostgreSQL's messages can contain values of a row. */
export function errorName(error: unknown): string {
  if (!(error instanceof Error)) {
    return "not an Error";
  }
  return "code" in error ? `${error.name} ${String(error.code)}` : error.name;
}
