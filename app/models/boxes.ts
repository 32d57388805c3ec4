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

/** The actions on a whole box. */
export const wholeBoxActions = ["answer", "archive", "spam", "trash", "restore"] as const;
export type WholeBoxAction = (typeof wholeBoxActions)[number];
