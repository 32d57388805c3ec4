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

/** `all`: neither archived nor spam nor trash. `waiting`: the unanswered messages of `all`. */
export const boxes = ["all", "waiting", "archived", "spam", "trash"] as const;
export type Box = (typeof boxes)[number];

/** The box of an address; an unknown one is the board. */
export const boxOf = (text: string | null): Box => boxes.find((box) => box === text) ?? "all";

/** The boxes' Arabic names. `any`: all boxes together, for a search. */
export const boxNames = {
  all: "الرسائل",
  waiting: "بانتظار ردك",
  archived: "المؤرشفة",
  spam: "المزعجة",
  trash: "المهملات",
  any: "كل الصناديق",
};

export const emptiableBoxes = ["spam", "trash"] as const;
export type EmptiableBox = (typeof emptiableBoxes)[number];

/** The actions on messages, each with the action that undoes it. */
export const undoOf = {
  answer: "unanswer",
  unanswer: "answer",
  archive: "unarchive",
  unarchive: "archive",
  spam: "unspam",
  unspam: "spam",
  trash: "restore",
  restore: "trash",
} as const;
export type SortAction = keyof typeof undoOf;

/** The actions that clean up a whole box. */
export const wholeActions = ["answer", "archive", "spam", "trash", "restore"] as const;
export type WholeAction = (typeof wholeActions)[number];
