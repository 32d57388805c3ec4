import type { Scope } from "./inbox-forms.server.ts";
import type { SortAction } from "./inbox-limits.ts";
import type { InboxMessage, MessageAction } from "./inbox.ts";

const labels: Record<SortAction, string> = {
  answer: "أجبتُه",
  unanswer: "لم أجبه",
  archive: "أرشفة",
  unarchive: "إخراج من الأرشيف",
  spam: "مزعجة",
  unspam: "ليست مزعجة",
  trash: "حذف",
  restore: "استعادة",
};

const labelled = (actions: SortAction[]) =>
  actions.map((action): MessageAction => [action, labels[action]]);

export const boxActions: Record<Scope, MessageAction[]> = {
  all: labelled(["answer", "unanswer", "archive", "spam", "trash"]),
  waiting: labelled(["answer", "archive", "spam", "trash"]),
  archived: labelled(["unarchive", "trash"]),
  spam: labelled(["unspam", "trash"]),
  trash: labelled(["restore"]),
  any: labelled(["answer", "archive", "trash"]),
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

function actionsOf(message: InboxMessage): MessageAction[] {
  const { answered_at: answered, archived_at: archived } = message;
  if (message.deleted_at) {
    return labelled(["restore"]);
  }
  if (message.spam_signs) {
    return labelled(["unspam", "trash"]);
  }
  const answer = answered ? "unanswer" : "answer";
  return labelled(archived ? ["unarchive", answer, "trash"] : [answer, "archive", "trash", "spam"]);
}

const badgesOf = (message: InboxMessage): string[] =>
  [
    message.answered_at && "✓ أُجيبت",
    message.archived_at && "مؤرشفة",
    message.spam_signs && "غير مرغوبة",
    message.deleted_at && "في السلة",
  ].filter((word) => word !== null);

const signs: Record<string, string> = {
  trap: "مُلئ حقل لا يراه الناس",
  haste: "أُرسلت أسرع مما يكتب الناس",
  unseen: "لم تُفتح صفحتها قبل إرسالها",
  links: "فيها روابط كثيرة",
  repeat: "تكرر نصها",
  owner: "قلت إنها مزعجة",
};

/** A card's actions and labels, made on the server to keep their texts out of the script. */
export const cardTexts = (message: InboxMessage) => ({
  actions: actionsOf(message),
  badges: badgesOf(message),
  signs: message.spam_signs?.map((sign) => signs[sign]).join("، ") ?? null,
});
