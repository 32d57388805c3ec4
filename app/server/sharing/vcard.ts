import type { Owner } from "#app/content/schema.ts";
import { linkedChannels } from "#app/content/shown.ts";
import { decoded } from "#app/lib/decoded.ts";
import { readableAddress } from "#app/lib/readable-address.server.ts";

/** RFC 2426, 2.6: a line has at most 75 bytes, and a folded one goes on after CRLF and a blank. */
const longestLine = 75;

/**
 * Returns the owner as a vCard 3.0 (RFC 2426): the version that every phone imports.
 * @param url the site's address
 */
export function vcardOf({ name, title, phone, channels }: Owner, url: string): string {
  const lines = [
    "BEGIN:VCARD",
    "VERSION:3.0",
    // The whole name is the given one, because only its owner knows how to divide it.
    `N:;${escaped(name)};;;`,
    `FN:${escaped(name)}`,
    `TITLE:${escaped(title)}`,
    `TEL;TYPE=CELL:+${phone}`,
    ...linkedChannels(channels).map(({ link }) => {
      const { protocol, pathname } = new URL(link);
      return protocol === "mailto:"
        ? `EMAIL;TYPE=INTERNET:${escaped(decoded(pathname))}`
        : protocol === "tel:"
          ? `TEL:${escaped(pathname)}`
          : `URL:${link}`;
    }),
    `URL:${url}`,
    `NOTE:${escaped(readableAddress(url))}`,
    "END:VCARD",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

function escaped(text: string): string {
  return text.replaceAll(/[\\,;]/g, String.raw`\$&`).replaceAll(/\r?\n/g, String.raw`\n`);
}

/** Folds between code points: in the middle of one, a reader that decodes each line breaks it. */
function folded(line: string): string {
  const parts = [""];
  let bytes = 0;
  for (const letter of line) {
    const size = Buffer.byteLength(letter);
    if (bytes + size > longestLine) {
      parts.push("");
      // The byte of the blank.
      bytes = 1;
    }
    parts.push(`${parts.pop()}${letter}`);
    bytes += size;
  }
  return parts.join("\r\n ");
}
