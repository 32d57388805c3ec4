const longestReply = 300;

/** The details of nodemailer's error, with the mail server's reply (RFC 5321, 4.2) if it sent one. */
export function smtpFault(error: unknown) {
  const { name, code, response } = error as { name?: string; code?: string; response?: string };
  return {
    code: code ?? name,
    ...(response !== undefined && { reply: withoutAddresses(response) }),
  };
}

/** Servers repeat the addresses that they refuse. */
export function withoutAddresses(reply: string): string {
  return reply
    .replaceAll(/<?[^\s<>]+>?/g, (word) => (word.includes("@") ? "<…>" : word))
    .replaceAll(/\p{Cc}+/gu, " ")
    .slice(0, longestReply)
    .toWellFormed();
}
