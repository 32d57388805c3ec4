import { createHmac, timingSafeEqual } from "node:crypto";

interface Key {
  secret: string;
  /** What the text is for: a text signed for one purpose is worth nothing for another. */
  purpose: string;
}

/** The text and a signature of 128 bits, for URLs. */
export function signText(text: string, key: Key): string {
  return `${text}.${macOf(text, key)}`;
}

/** The text of a signed one; undefined if the signature is not of this key. */
export function readSigned(signed: string, key: Key): string | undefined {
  const end = signed.lastIndexOf(".");
  const text = signed.slice(0, Math.max(end, 0));
  return isEqual(signed.slice(end + 1), macOf(text, key)) ? text : undefined;
}

/** A UUID in 22 characters. */
export const shortId = (id: string) =>
  Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url");

export const longId = (id: string) =>
  Buffer.from(id, "base64url")
    .toString("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");

function macOf(text: string, { secret, purpose }: Key): string {
  const mac = createHmac("sha256", secret).update(`${purpose} ${text}`).digest();
  return mac.subarray(0, 16).toString("base64url");
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
