/** What a request can ask for at most (CONTRACT.md, "Bounds"). */
export const bounds = {
  queryBytes: 8 * 1024,
  groupDepth: 5,
  filters: 100,
  /** As PostgreSQL's own. */
  arguments: 100,
  /** Entries of `select`, with the columns of `*`. */
  selected: 500,
  /** How often one column may be selected, because each repeat enlarges the response. */
  sameColumn: 4,
  orderTerms: 32,
  regexLength: 200,
  bodyBytes: 1024 * 1024,
  jsonDepth: 64,
  rowsIn: 1_000,
  rowsOut: 1_000,
} as const;
