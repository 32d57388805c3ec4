// Blanks, brackets, and characters that are invisible, reorder text or are for private use.
const forbidden = new RegExp(
  String.raw`[\0- "(),:;<>[\\\]\u007F-\u00A0\u00AD\u034F\u061C\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u206F\u3000-\u3003\u3164\uD800-\uF8FF\uFE00-\uFE0F\uFEFF\uFF00-\uFFFF\u{1D173}-\u{1D17A}\u{E0000}-\u{10FFFF}]`,
  "u",
);
const shape = /^(?=[^@]{1,64}@)[^.@]+(?:\.[^.@]+)*@[^.@]+(?:\.[^.@]+)+$/u;
// Signs other than letters, digits, hyphens and dots; a label with a hyphen at an end; a top-level
// domain that ends in a digit; a label over 63 characters.
const wrongInDomain = new RegExp(
  String.raw`[!-,/:-@[-\u0060{-~\u00A1-\u00A9\u00AB-\u00B4\u00B6-\u00B9\u00BB-\u00BF\u00D7\u00F7\u055A-\u055F\u0589\u0600-\u060F\u061B-\u061F\u0640\u066A-\u066D\u06D4\u06DD-\u06DE\u0964\u0965\u2070-\u2BFF\u2E00-\u2E7F\u3004\u3008-\u3020\u3030\uFD3E\uFD3F\uFDFC\u{1F000}-\u{1FAFF}]|(?:^|\.)-|-(?:\.|$)|\.[0-9]+$|[^.]{64}`,
  "u",
);

/** The longest address, in UTF-16 units (RFC 5321, 4.5.3.1.3). */
export const emailMaxLength = 254;

/** Whether a text is an RFC 6531 address without quotes and comments. Same as private.is_email. */
export function isEmail(text: string): boolean {
  return (
    !forbidden.test(text) &&
    shape.test(text) &&
    !wrongInDomain.test(text.slice(text.indexOf("@") + 1))
  );
}

/** Converts the domain of an address to ASCII (IDNA); returns other texts unchanged. */
export function asciiDomain(email: string): string {
  if (!isEmail(email)) {
    return email;
  }
  const [local, domain] = email.split("@");
  try {
    return `${local}@${new URL(`http://${domain}`).hostname}`;
  } catch {
    return email;
  }
}

/** Whether the authentication service accepts the address. */
export function isAccountEmail(text: string): boolean {
  return isEmail(text) && /^[!-~]+$/.test(text);
}
