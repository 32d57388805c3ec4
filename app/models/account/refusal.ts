/** Why the authentication service, or one of the site's limits, refused. */
export interface AuthRefusal {
  status: number;
  code: string | undefined;
  /** Seconds until the next attempt, if known. */
  wait?: number;
  /** Why a password is weak, if the service says so. */
  weakness?: Weakness;
}

export interface Weakness {
  /** GoTrue's: `length`, `characters`, `pwned`. */
  reasons: string[];
  /** The least number of characters, if known. */
  least?: number;
}

// GoTrue's messages (supabase/auth, internal/api: password.go, mail.go). Its client hides the
// Retry-After header.
const leastSentence = /^Password should be at least (\d{1,4}) characters/;
const waitSentence = /you can only request this after (\d{1,6}) seconds/;

/** An error of the authentication client. */
export interface ServiceError {
  status?: number | undefined;
  code?: string | undefined;
  message?: string;
  /** Only of a weak password. */
  reasons?: string[];
}

// GoTrue sends a mail before it answers (the same file).
const notSent = /^(Error sending|Unable to process request)/;
const refusedAddress = new Set(["email_address_invalid", "email_address_not_authorized"]);

/** Whether a mail could not be sent, to its address or at all. */
export const isMailFault = ({ status, code = "", message = "" }: ServiceError): boolean =>
  refusedAddress.has(code) || (status === 500 && notSent.test(message));

/** Converts an error of the authentication client. Status 503 if there was no response. */
export function refusalOf(error: ServiceError): AuthRefusal {
  const { status, code, message = "", reasons } = error;
  const wait = Number(waitSentence.exec(message)?.[1]);
  const least = Number(leastSentence.exec(message)?.[1]);
  return {
    status: status || 503,
    code: isMailFault(error) ? "mail_not_sent" : code,
    ...(wait > 0 && { wait }),
    ...(reasons && { weakness: { reasons, ...(least > 0 && { least }) } }),
  };
}
