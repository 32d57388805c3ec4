import type { Scope } from "#app/models/inbox-forms.server.ts";
import { boxNames, type SortAction } from "#app/models/inbox-limits.ts";
import type { InboxMessage } from "#app/models/inbox.ts";

export const actionLabels: Record<SortAction, string> = {
  answer: "أجبتُه",
  unanswer: "لم أجبه",
  archive: "أرشفة",
  unarchive: "إخراج من الأرشيف",
  spam: "مزعجة",
  unspam: "ليست مزعجة",
  trash: "حذف",
  restore: "استعادة",
};

/** The actions on the selected messages of a box. */
export const boxActions: Record<Scope, SortAction[]> = {
  all: ["answer", "unanswer", "archive", "spam", "trash"],
  waiting: ["answer", "archive", "spam", "trash"],
  archived: ["unarchive", "trash"],
  spam: ["unspam", "trash"],
  trash: ["restore"],
  any: ["answer", "archive", "trash"],
};

export const emptyTexts: Record<Scope | "search" | "older", string> = {
  all: "لا توجد رسائل بعد",
  waiting: "لا أحد ينتظر ردك",
  archived: "لا رسائل مؤرشفة",
  spam: "لا بريد غير مرغوب",
  trash: "سلة المهملات فارغة",
  any: "لا رسائل",
  search: "جرّب كلمة أقصر، أو ابحث في كل الصناديق",
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

/** The states of a message. A search of all boxes also names the board. */
export function badgesOf(message: InboxMessage, box: Scope): string[] {
  const { answered_at: answered, archived_at: archived, deleted_at: deleted } = message;
  const isOnBoard = !archived && !deleted && !message.spam_signs;
  return [
    box === "any" && isOnBoard && boxNames.all,
    answered && "✓ أُجيبت",
    archived && "مؤرشفة",
    message.spam_signs && "غير مرغوبة",
    deleted && "في السلة",
  ].filter((word) => typeof word === "string");
}

const signs: Record<string, string> = {
  trap: "مُلئ حقل لا يراه الناس",
  haste: "أُرسلت أسرع مما يكتب الناس",
  unseen: "لم تُفتح صفحتها قبل إرسالها",
  links: "فيها روابط كثيرة",
  repeat: "تكرر نصها",
  owner: "قلت إنها مزعجة",
};

/** Why a message was marked as spam; undefined if it was not. */
export const signsOf = ({ spam_signs: found }: InboxMessage): string | undefined =>
  found?.map((sign) => signs[sign]).join("، ");
