/** Same as in supabase/migrations. Lengths in characters. */
export const inboxLimits = {
  /** Messages on a page as it is loaded. */
  page: 50,
  /** New messages that an open board shows above the page, until it is read again. */
  live: 50,
  /** The sum of both. One action changes no more messages than this. */
  board: 100,
  note: 2000,
  search: { least: 2, most: 100, words: 5 },
  /** The database stops counting new messages (`fresh`) here. */
  fresh: 100,
  /** Messages in an .xlsx file. More would take too much memory, because the whole sheet is made at once. */
  workbook: 10_000,
};
