export interface Refusal {
  status: number;
  code: string | undefined;
  /** Seconds until the next attempt, if known. */
  wait?: number;
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
