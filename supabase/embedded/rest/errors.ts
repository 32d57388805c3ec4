interface ErrorParts {
  code: string;
  message: string;
  details?: string | null;
  hint?: string | null;
  headers?: Record<string, string>;
}

/** An error response in PostgREST's format. `code` is a PostgREST code or an SQLSTATE. */
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
}

/** A PostgREST feature that is not implemented (CONTRACT.md, "Not covered"). */
export function notCovered(feature: string): RestError {
  return new RestError(400, {
    code: "PGRST127",
    message: "Feature not implemented",
    details: `${feature} is not available here.`,
  });
}

/** A request that exceeds a bound (CONTRACT.md, "Bounds"). */
export function tooMuch(message: string, status = 400): RestError {
  return new RestError(status, { code: "PGRST100", message });
}

export function badBody(message: string, status = 400): RestError {
  return new RestError(status, { code: "PGRST102", message });
}

/** PostgreSQL's error for a column in a select list, filter or order. */
export function unknownColumn(relation: string, column: string): RestError {
  return new RestError(400, {
    code: "42703",
    message: `column ${relation}.${column} does not exist`,
  });
}

/** PostgREST's error for a column in a body. */
export function unknownField(table: string, column: string): RestError {
  return new RestError(400, {
    code: "PGRST204",
    message: `Could not find the '${column}' column of '${table}' in the schema cache`,
  });
}

/** A filter or order refers to a resource that the select list does not embed. */
export function notEmbedded(resource: string): RestError {
  return new RestError(400, {
    code: "PGRST108",
    message: `'${resource}' is not an embedded resource in this request`,
    hint: `Verify that '${resource}' is included in the 'select' query parameter.`,
  });
}

export function outOfRange(details: string, headers: Record<string, string> = {}): RestError {
  return new RestError(416, {
    code: "PGRST103",
    message: "Requested range not satisfiable",
    details,
    headers,
  });
}
