/** Upper bounds of a request (CONTRACT.md, "Bounds"). */
export const bounds = {
  queryBytes: 8 * 1024,
  groupDepth: 5,
  filters: 100,
  /** PostgreSQL's own default (max_function_args). */
  arguments: 100,
  /** Entries of `select`; `*` counts as all its columns. */
  selected: 500,
  /** Repeats of one column in `select`. Each repeat enlarges the response. */
  sameColumn: 4,
  orderTerms: 32,
  regexLength: 200,
  bodyBytes: 1024 * 1024,
  jsonDepth: 64,
  rowsIn: 1_000,
  rowsOut: 1_000,
} as const;
