interface ErrorParts {
  code: string;
  message: string;
  details?: string | null;
  hint?: string | null;
  headers?: Record<string, string>;
}

/** A refusal as PostgREST words it. `code` is PostgREST's or an SQLSTATE. */
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

/** A part of PostgREST that this layer leaves out (CONTRACT.md, "Not covered"). */
export function notCovered(feature: string): RestError {
  return new RestError(400, {
    code: "PGRST127",
    message: "Feature not implemented",
    details: `${feature} is not available here.`,
  });
}

/** A query that is over a bound (CONTRACT.md, "Bounds"). */
export function tooMuch(message: string, status = 400): RestError {
  return new RestError(status, { code: "PGRST100", message });
}

export function badBody(message: string, status = 400): RestError {
  return new RestError(status, { code: "PGRST102", message });
}

/** For reading. */
export function unknownColumn(relation: string, column: string): RestError {
  return new RestError(400, {
    code: "42703",
    message: `column ${relation}.${column} does not exist`,
  });
}

/** For writing. */
export function unknownField(table: string, column: string): RestError {
  return new RestError(400, {
    code: "PGRST204",
    message: `Could not find the '${column}' column of '${table}' in the schema cache`,
  });
}

/** A select list, filter or order below a resource that is not embedded. */
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
