import { z } from "zod";
import { countedMessages, countedMessagesAfter } from "#app/lib/arabic-plural.ts";
import { type SortAction, undoOf } from "#app/models/boxes.ts";

/** A completed action, as in `?done=`: `archive.3.<id>`. A forged one changes a sentence, and nothing else. */
export interface Done {
  action: SortAction | NoteAction;
  count: number;
  /** The id of the change, for its undo, or of the message after a change of a note. */
  id: string;
}

type NoteAction = "note" | "unnote";
const noteActions: NoteAction[] = ["note", "unnote"];

const doneSchema = z.object({
  action: z.enum([...(Object.keys(undoOf) as SortAction[]), ...noteActions]),
  count: z
    .string()
    .regex(/^[1-9]\d{0,5}$/)
    .transform(Number),
  id: z.guid(),
  rest: z.tuple([]),
});

/** Returns undefined for any other text, such as one of version 2.0.0. */
export function readDone(text: unknown): Done | undefined {
  const [action, count, id, ...rest] = String(text).split(".");
  return doneSchema.safeParse({ action, count, id, rest }).data;
}

export const doneText = ({ action, count, id }: Done): string => [action, count, id].join(".");

export const isOfNote = (action: Done["action"]): action is NoteAction =>
  action === "note" || action === "unnote";

const sentences: Record<Done["action"], (messages: string, count: number) => string> = {
  answer: (_, count) => `تم الرد على ${countedMessagesAfter(count)}`,
  unanswer: (messages) => `عادت ${messages} إلى انتظار ردك`,
  archive: (messages) => `أُرشفت ${messages}`,
  unarchive: (messages) => `عادت ${messages} من الأرشيف`,
  spam: (messages) => `نُقلت ${messages} إلى المزعجة`,
  unspam: (messages) => `عادت ${messages} إلى «الرسائل»`,
  trash: (messages) => `نُقلت ${messages} إلى المهملات`,
  restore: (messages) => `استُعيدت ${messages}`,
  note: () => "حُفظت الملاحظة",
  unnote: () => "حُذفت الملاحظة",
};

/** What the last action did. */
export interface BoardResult {
  text: string;
  /** The value of `?done=`. */
  done: string;
  /** The value of the undo button. */
  undo: string | undefined;
  /** The id of the message whose note was changed, if it was a note. */
  noted: string | undefined;
}

export function readResult({ searchParams }: URL): BoardResult | undefined {
  const done = searchParams.get("done");
  const read = readDone(done);
  if (!read || done === null) {
    return undefined;
  }
  const { action, count, id } = read;
  const text = sentences[action](countedMessages(count), count);
  return isOfNote(action)
    ? { text, done, undo: undefined, noted: id }
    : { text, done, undo: done, noted: undefined };
}
