import { counted, type PluralForms } from "#app/lib/arabic-plural.ts";
import { boxNames } from "#app/models/boxes.ts";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import type { BoardMessage, InboxMessage } from "#app/models/inbox.ts";
import { isOnBoard } from "./message-texts.ts";

interface Reason {
  /** For the message itself. */
  whole: string;
  /** For its row. */
  short: string;
}

const reasons: Record<string, Reason> = {
  trap: { whole: "مُلئ حقل لا يراه الناس", short: "حقل خفي مملوء" },
  haste: { whole: "أُرسلت أسرع مما يكتب الناس", short: "أسرع من الناس" },
  flood: { whole: "من عنوان أرسل رسائل كثيرة في يوم واحد", short: "كثيرة من عنوان" },
  unseen: { whole: "لم تُفتح صفحتها قبل إرسالها", short: "دون فتح الصفحة" },
  links: { whole: "فيها روابط كثيرة", short: "روابط كثيرة" },
  repeat: { whole: "تكرر نصها", short: "نص مكرر" },
  owner: { whole: "صنّفتَها مزعجة", short: "صنّفتَها مزعجة" },
};

const leftForms: PluralForms = {
  zero: "تُحذف اليوم",
  one: "تُحذف غدًا",
  two: "تُحذف بعد يومين",
  few: "أيام",
  many: "يومًا",
  other: "يوم",
};

/** When something that was put into the trash is deleted for good. */
export interface TrashTerm {
  days: number;
  now: number;
}

const dayMs = 24 * 60 * 60 * 1000;

function trashText({ expired_at: expired, deleted_at: deleted }: InboxMessage, term?: TrashTerm) {
  if (expired) {
    return "انتهت مدتها";
  }
  if (!term) {
    return "في المهملات";
  }
  const ends = Date.parse(deleted ?? "") + term.days * dayMs;
  const left = Math.max(0, Math.floor((ends - term.now) / dayMs));
  return left > 2 ? `تُحذف بعد ${counted(left, leftForms)}` : counted(left, leftForms);
}

/**
 * A message with the words of its states in a list. A search of all boxes also names the board.
 * @param term only for the trash
 */
export function withWords(message: BoardMessage, box: Scope, term?: TrashTerm): BoardMessage {
  const { answered_at: answered, archived_at: archived, spam_signs: signs } = message;
  const [first] = signs ?? [];
  const states = [
    answered && "تم الرد",
    box === "any" && isOnBoard(message) && boxNames.all,
    archived && "مؤرشفة",
    signs && ((box === "spam" && reasons[first ?? ""]?.short) || "مزعجة"),
    message.deleted_at && trashText(message, term),
  ].filter(Boolean);
  return {
    ...message,
    ...(states.length > 0 && { states: states.join(" · ") }),
    ...(signs && { reasons: signs.map((sign) => reasons[sign]?.whole).join("، و") }),
  };
}
