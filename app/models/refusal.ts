/** Why the authentication service or one of the limits said no. */
export interface Refusal {
  status: number;
  /** The service's error code. */
  code: string | undefined;
  /** Seconds until the next attempt, if known. */
  wait?: number;
}

/** What a form shows after its post was refused. */
export interface FormResult<Field extends string> {
  errors: Partial<Record<Field, string>>;
  /** What was typed, without secrets. */
  values?: Partial<Record<Field, string>>;
  failure?: string;
}

/** Makes a refusal of an authentication error; one without a response becomes 503. */
export function refusalOf({
  status,
  code,
}: {
  status?: number | undefined;
  code?: string | undefined;
}): Refusal {
  return { status: status || 503, code };
}

/** The status and headers of a response with this refusal. */
export function refusalInit({ status, wait }: Refusal): ResponseInit {
  return { status, ...(wait !== undefined && { headers: { "Retry-After": String(wait) } }) };
}
