/** Returns a text without its percent-encoding, or unchanged if a percent sign encodes nothing. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
