const maxReplyLength = 300;

interface SmtpError {
  name?: string;
  code?: string;
  /** Node's code of a fault of the connection, such as ECONNREFUSED or CERT_HAS_EXPIRED. */
  originalCode?: string;
  response?: string;
}

/** Returns what to log of nodemailer's error: codes and the server's reply (RFC 5321, 4.2). */
export function smtpFault(error: unknown) {
  const { name, code, originalCode, response } = error as SmtpError;
  return {
    code: code ?? name,
    ...(originalCode !== undefined && { cause: originalCode }),
    ...(response !== undefined && { reply: withoutAddresses(response) }),
  };
}

/** Removes addresses from a reply: servers repeat those that they refuse. */
export function withoutAddresses(reply: string): string {
  return reply
    .replaceAll(/<?[^\s<>]+>?/g, (word) => (word.includes("@") ? "<…>" : word))
    .replaceAll(/\p{Cc}+/gu, " ")
    .slice(0, maxReplyLength)
    .toWellFormed();
}
