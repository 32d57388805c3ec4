/** Why the authentication service or one of the limits said no. */
export interface Refusal {
  status: number;
  /** The service's error code. */
  code: string | undefined;
  /** Seconds until another attempt is worth it, where they are known. */
  wait?: number;
}

/** What a form shows after its post was refused. */
export interface FormResult<Field extends string> {
  errors: Partial<Record<Field, string>>;
  /** What was typed, without secrets. */
  values?: Partial<Record<Field, string>>;
  /** What is wrong with no single field. */
  failure?: string;
}

/** An error of the authentication client as a refusal; one without an answer is 503. */
export function refusalOf({
  status,
  code,
}: {
  status?: number | undefined;
  code?: string | undefined;
}): Refusal {
  return { status: status || 503, code };
}

/** The status and headers of the answer that tells a refusal. */
export function refusalInit({ status, wait }: Refusal): ResponseInit {
  return { status, ...(wait !== undefined && { headers: { "Retry-After": String(wait) } }) };
}
