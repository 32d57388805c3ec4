import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A mail's text, and the code and the link in it, if any. */
export interface ReceivedMail {
  file: string;
  text: string;
  code: string;
  link: URL | undefined;
}

/** Returns the mails to an address in a data folder, oldest first. */
export async function mailsTo(
  { dataDir }: { dataDir: string },
  email: string,
): Promise<ReceivedMail[]> {
  const folder = join(dataDir, "mails");
  const files = await readdir(folder).catch(() => []);
  const sources = await Promise.all(
    files
      .toSorted()
      .map(async (file) => ({ file, eml: await readFile(join(folder, file), "utf8") })),
  );
  return sources
    .filter(({ eml }) => eml.includes(`\nTo: ${email}\r\n`))
    .map(({ file, eml }) => {
      const text = textPart(eml);
      const code = /^\d{8}$/m.exec(text)?.[0] ?? "";
      const link = /https?:\S+\/auth\/confirm\S+/.exec(text)?.[0];
      return { file, text, code, link: link === undefined ? undefined : new URL(link) };
    });
}

/** Returns the plain text part of a mail, with simple line ends: quoted-printable has CRLF. */
export function textPart(eml: string): string {
  const [, headers = "", body = ""] =
    /(Content-Type: text\/plain[\s\S]*?)\r\n\r\n([\s\S]*?)\r\n--/.exec(eml) ?? [];
  return decode(body, headers.includes("base64")).toString("utf8").replaceAll("\r\n", "\n");
}

export function decode(body: string, isBase64: boolean): Buffer {
  if (isBase64) {
    return Buffer.from(body, "base64");
  }
  // Quoted-printable (RFC 2045, 6.7).
  const bytes = body
    .replaceAll("=\r\n", "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1");
}
