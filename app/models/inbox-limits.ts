/** As supabase/migrations/20261122*.sql have them. Lengths in characters. */
export const inboxLimits = {
  /** Messages on a page; also what one action may change. */
  page: 50,
  note: 2000,
  search: { least: 2, most: 100, words: 5 },
  /** From here on `fresh` of the inbox's state says "or more". */
  fresh: 100,
};

/** `all` is the board: neither archived nor spam nor trash. `waiting` is its unanswered part. */
export const boxes = ["all", "waiting", "archived", "spam", "trash"] as const;
export type Box = (typeof boxes)[number];

/** What the boxes are called; `any` is all of them together. */
export const boxNames = {
  all: "الرسائل",
  waiting: "بانتظار ردك",
  archived: "المؤرشفة",
  spam: "البريد غير المرغوب",
  trash: "سلة المهملات",
  any: "كل الصناديق",
};

export const emptiableBoxes = ["spam", "trash"] as const;
export type EmptiableBox = (typeof emptiableBoxes)[number];

/** What can be done with messages, and what undoes it. */
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
