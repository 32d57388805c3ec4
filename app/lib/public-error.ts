/** An error whose message visitors may read: it quotes no statement, value or path. */
export class PublicError extends Error {
  override name = "PublicError";
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}
