-- What a text must be: visible, plain, an e-mail address.

-- Whether a text shows anything: a character that is no blank, control, mark, private or ignorable
-- character. The list is that of app/lib/plain-text.ts.
create function private.is_visible(value text) returns boolean
language sql immutable parallel safe
return value ~ ('[^\u0001- \u007F-\u00A0\u00AD\u0300-\u036F\u0600-\u0605\u0610-\u061C\u064B-\u065F\u0670'
    '\u06D6-\u06DD\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED\u070F\u08D3-\u08FF\u115F\u1160\u1680\u17B4\u17B5'
    '\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u20D0-\u20FF\u2800\u3000\u3164\uE000-\uF8FF'
    '\uFE00-\uFE0F\uFE20-\uFE2F\uFEFF\uFFA0\uFFF0-\uFFFB\U0001BCA0-\U0001BCA3'
    '\U0001D173-\U0001D17A\U000E0000-\U0010FFFF]');

-- Whether a text is short enough and visible, and has no control character but line breaks and tabs,
-- and no mark that can reorder what is displayed (U+202A-202E, U+2066-2069).
create function private.is_plain_text(value text, longest integer) returns boolean
language sql immutable parallel safe
return char_length(value) <= longest and private.is_visible(value)
  and value !~ U&'[\0001-\0008\000B-\001F\007F-\009F\061C\200E\200F\202A-\202E\2066-\2069]';

-- Whether a text is an e-mail address in any script (RFC 6531), by the rules of app/lib/email.ts.
create function private.is_email(value text) returns boolean
language sql immutable parallel safe
return value !~ ('[\u0001- "(),:;<>[\\\]\u007F-\u00A0\u00AD\u034F\u061C\u115F\u1160\u1680\u17B4'
    '\u17B5\u180B-\u180F\u2000-\u206F\u3000-\u3003\u3164\uE000-\uF8FF\uFE00-\uFE0F\uFEFF'
    '\uFF00-\uFFFF\U0001D173-\U0001D17A\U000E0000-\U0010FFFF]')
  and value ~ '^[^.@]+(?:\.[^.@]+)*@[^.@]+(?:\.[^.@]+)+$'
  and split_part(value, '@', 2) !~ (
    '[!-,/:-@[-`{-~\u00A1-\u00A9\u00AB-\u00B4\u00B6-\u00B9\u00BB-\u00BF\u00D7\u00F7\u055A-\u055F\u0589'
    '\u0600-\u060F\u061B-\u061F\u0640\u066A-\u066D\u06D4\u06DD-\u06DE\u0964\u0965\u2070-\u2BFF\u2E00-\u2E7F'
    '\u3004\u3008-\u3020\u3030\uFD3E\uFD3F\uFDFC\U0001F000-\U0001FAFF]'
    '|(?:^|\.)-|-(?:\.|$)|\.[0-9]+$|[^.]{64}')
  and char_length(split_part(value, '@', 1)) <= 64;

-- Constraints run with the rights of who changes a row.
grant execute on function private.is_plain_text, private.is_visible, private.is_email
  to authenticated;
