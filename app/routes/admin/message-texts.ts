import { counted, type PluralForms } from "#app/lib/arabic-plural.ts";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import { type Box, boxNames, type SortAction } from "#app/models/inbox-limits.ts";
import type { BoardMessage, InboxMessage } from "#app/models/inbox.ts";
import type { IconName } from "./icons.ts";

export const actionLabels: Record<SortAction, string> = {
  answer: "تم الرد",
  unanswer: "بانتظار الرد",
  archive: "أرشفة",
  unarchive: "إلى الرسائل",
  spam: "مزعجة",
  unspam: "ليست مزعجة",
  trash: "حذف",
  restore: "استعادة",
};

export const boxIcons: Record<Box, IconName> = {
  all: "inbox",
  waiting: "waiting",
  archived: "archive",
  spam: "spam",
  trash: "trash",
};

export const actionIcons: Record<SortAction, IconName> = {
  answer: "check",
  unanswer: "waiting",
  archive: "archive",
  unarchive: "inbox",
  spam: "spam",
  unspam: "inbox",
  trash: "trash",
  restore: "inbox",
};

/** The actions on the selected messages of a box. */
export const boxActions: Record<Scope, SortAction[]> = {
  all: ["answer", "archive", "trash", "spam"],
  waiting: ["answer", "archive", "trash", "spam"],
  archived: ["unarchive", "trash"],
  spam: ["unspam", "trash"],
  trash: ["restore"],
  any: ["answer", "archive", "trash"],
};

export const emptyTexts: Record<Scope | "search" | "older", string> = {
  all: "لا توجد رسائل بعد",
  waiting: "لا أحد ينتظر ردك",
  archived: "لا رسائل مؤرشفة",
  spam: "لا رسائل مزعجة",
  trash: "المهملات فارغة",
  any: "لا رسائل",
  search: "جرّب كلمة أقصر",
  older: "لا رسائل أقدم",
};

/** The actions on one message, the most frequent first. */
export function actionsOf(message: InboxMessage): SortAction[] {
  const { answered_at: answered, archived_at: archived } = message;
  if (message.deleted_at) {
    return ["restore"];
  }
  if (message.spam_signs) {
    return ["unspam", "trash"];
  }
  const answer = answered ? "unanswer" : "answer";
  return archived ? ["unarchive", answer, "trash"] : [answer, "archive", "trash", "spam"];
}

const isOnBoard = ({
  archived_at: archived,
  deleted_at: deleted,
  spam_signs: signs,
}: InboxMessage) => !archived && !deleted && !signs;

/** Whether the message waits for a reply. */
export const isWaiting = (message: InboxMessage): boolean =>
  isOnBoard(message) && !message.answered_at;

/** The states of a message. A search of all boxes also names the board. */
export const stateOf = (message: BoardMessage, box: Scope): string =>
  [
    message.answered_at && "تم الرد",
    box === "any" && isOnBoard(message) && boxNames.all,
    message.archived_at && "مؤرشفة",
    message.spam_signs && (box === "spam" ? reasonOf(message.spam_signs) : "مزعجة"),
    message.deleted_at && trashText(message, box),
  ]
    .filter(Boolean)
    .join(" · ");

const signTexts: Record<string, string> = {
  trap: "مُلئ حقل لا يراه الناس",
  haste: "أُرسلت أسرع مما يكتب الناس",
  flood: "من عنوان أرسل رسائل كثيرة في يوم واحد",
  unseen: "لم تُفتح صفحتها قبل إرسالها",
  links: "فيها روابط كثيرة",
  repeat: "تكرر نصها",
  owner: "صنّفتَها مزعجة",
};

const reasons: Record<string, string> = {
  trap: "حقل خفي مملوء",
  haste: "أسرع من الناس",
  flood: "كثيرة من عنوان",
  unseen: "دون فتح الصفحة",
  links: "روابط كثيرة",
  repeat: "نص مكرر",
  owner: "صنّفتَها مزعجة",
};

/** The first reason, which has room in a row. */
const reasonOf = ([sign = ""]: readonly string[]): string => reasons[sign] ?? "مزعجة";

const leftForms: PluralForms = {
  zero: "تُحذف اليوم",
  one: "تُحذف غدًا",
  two: "تُحذف بعد يومين",
  few: "أيام",
  many: "يومًا",
  other: "يوم",
};

function trashText({ expired_at: expired, daysLeft }: BoardMessage, box: Scope): string {
  if (expired) {
    return "انتهت مدتها";
  }
  if (box !== "trash" || daysLeft === undefined) {
    return "في المهملات";
  }
  return daysLeft > 2 ? `تُحذف بعد ${counted(daysLeft, leftForms)}` : counted(daysLeft, leftForms);
}

/** Why a message was marked as spam; undefined if it was not. */
export const signsOf = ({ spam_signs: found }: InboxMessage): string | undefined =>
  found?.map((sign) => signTexts[sign]).join("، و");
