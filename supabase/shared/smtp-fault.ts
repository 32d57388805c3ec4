const maxReplyLength = 300;

/** Returns what to log of nodemailer's error: its code and the server's reply (RFC 5321, 4.2). */
export function smtpFault(error: unknown) {
  const { name, code, response } = error as { name?: string; code?: string; response?: string };
  return {
    code: code ?? name,
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
