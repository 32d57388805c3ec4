/** A text without its percent-encoding; as it is, where a percent sign encodes nothing. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
