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

// GoTrue's own sentence (supabase/auth, internal/api/mail.go); its client hides the headers.
const waitSentence = /you can only request this after (\d{1,6}) seconds/;

/** Makes a refusal of an authentication error; one without a response becomes 503. */
export function refusalOf({
  status,
  code,
  message = "",
}: {
  status?: number | undefined;
  code?: string | undefined;
  message?: string;
}): Refusal {
  const wait = Number(waitSentence.exec(message)?.[1]);
  return { status: status || 503, code, ...(wait > 0 && { wait }) };
}

/** The status and headers of a response with this refusal. */
export function refusalInit({ status, wait }: Refusal): ResponseInit {
  return { status, ...(wait !== undefined && { headers: { "Retry-After": String(wait) } }) };
}
