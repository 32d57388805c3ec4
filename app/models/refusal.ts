/** Why the authentication service, or a limit beside it, refused. */
export interface AuthRefusal {
  status: number;
  code: string | undefined;
  /** Seconds until the next attempt, if known. */
  wait?: number;
}

// GoTrue's message (supabase/auth, internal/api/mail.go). Its client hides the Retry-After header.
const waitSentence = /you can only request this after (\d{1,6}) seconds/;

/** Converts an error of the authentication client. Status 503 if there was no response. */
export function refusalOf({
  status,
  code,
  message = "",
}: {
  status?: number | undefined;
  code?: string | undefined;
  message?: string;
}): AuthRefusal {
  const wait = Number(waitSentence.exec(message)?.[1]);
  return { status: status || 503, code, ...(wait > 0 && { wait }) };
}
