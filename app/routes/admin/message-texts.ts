import type { Box, SortAction } from "#app/models/boxes.ts";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import type { InboxMessage } from "#app/models/inbox.ts";
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

/** What the pane says while nothing is open. The line of the promise is explained where it is seen. */
export function hintOf(
  list: { line?: object | undefined; box: Scope; search?: object },
  waiting = 0,
) {
  if (list.line) {
    return "ما فوق الخط في موعده، وما تحته تأخّر.";
  }
  return list.box === "all" && !list.search && waiting === 0
    ? "لا أحد ينتظر ردك."
    : "اختر رسالة لقراءتها هنا";
}

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

/** Whether the message waits for a reply. */
export const isWaiting = (message: InboxMessage): boolean =>
  isOnBoard(message) && !message.answered_at;

export const isOnBoard = ({
  archived_at: archived,
  deleted_at: deleted,
  spam_signs: signs,
}: InboxMessage) => !archived && !deleted && !signs;
