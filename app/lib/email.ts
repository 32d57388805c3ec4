// Blanks, brackets, and characters that are invisible, reorder text or are for private use.
const forbidden = new RegExp(
  String.raw`[\0- "(),:;<>[\\\]\u007F-\u00A0\u00AD\u034F\u061C\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u206F\u3000-\u3003\u3164\uD800-\uF8FF\uFE00-\uFE0F\uFEFF\uFF00-\uFFFF\u{1D173}-\u{1D17A}\u{E0000}-\u{10FFFF}]`,
  "u",
);
const shape = /^(?=[^@]{1,64}@)[^.@]+(?:\.[^.@]+)*@[^.@]+(?:\.[^.@]+)+$/u;
// ASCII but letters, digits and hyphens; a hyphen at an end; digits at the top; a long label.
const wrongInDomain = /[!-,/:-@[-`{-~]|(?:^|\.)-|-(?:\.|$)|\.[0-9]+$|[^.]{64}/u;

/** RFC 6531 without quotes and comments, as private.is_email in supabase/migrations. */
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
