/** An error that visitors may read: in the site's own words, without a quotation. */
export class PublicError extends Error {
  override name = "PublicError";
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}
