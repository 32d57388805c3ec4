import { z } from "zod";
import { arabicNumber } from "#app/lib/arabic-number.ts";
import { countedMessages } from "#app/lib/arabic-plural.ts";
import { plainLine, plainText } from "#app/lib/plain-text.ts";
import { boxes, emptiableBoxes, type SortAction, undoOf, wholeBoxActions } from "./boxes.ts";
import { cleanText } from "./clean-text.ts";
import { inboxLimits } from "./inbox-limits.ts";
import { withStoredNumbers } from "./phone.server.ts";

const unknownMoment = "لم يُعرف وقت فتح هذه الصفحة. افتحها من جديد.";

/** A timestamp that PostgreSQL accepts: no year 0, an offset below 16 hours, a limited fraction. */
export const momentSchema = z.iso
  .datetime({ offset: true, error: unknownMoment })
  .max(40, unknownMoment)
  .regex(/^(?!0000)(?!.*[+-](?:1[6-9]|2\d):)/, unknownMoment);

export const boxSchema = z.enum(boxes).catch("all");

/** The box of a search, as the list shows it: an unknown one is the board. */
export const scopeSchema = z.enum([...boxes, "any"]).catch("all");
export type Scope = z.infer<typeof scopeSchema>;

export const sortSchema = z.object({
  action: z.enum(Object.keys(undoOf) as SortAction[], "هذا الإجراء غير معروف"),
  ids: z
    .array(z.uuid("هذه الرسالة غير معروفة"))
    .min(1, "حدّد رسالة واحدة على الأقل")
    .max(inboxLimits.board, `حدّد ${countedMessages(inboxLimits.board)} على الأكثر`),
});

export const wholeBoxSchema = z.object({
  action: z.enum(wholeBoxActions, "هذا الإجراء ليس للصندوق كله"),
  box: z.enum(boxes, "حدّد رسائل من نتائج البحث"),
  until: momentSchema,
});

export const emptySchema = z.object({
  box: z.enum(emptiableBoxes, "لا تُفرغ إلا المزعجة وسلة المهملات"),
  until: momentSchema,
});

/** An empty `note` becomes null, which deletes it. */
export const noteSchema = z.object({
  id: z.uuid("هذه الرسالة غير معروفة"),
  note: z
    .pipe(
      cleanText({
        clean: plainText,
        max: inboxLimits.note,
        tooLong: `الملاحظة طويلة: ${arabicNumber(inboxLimits.note)} حرف على الأكثر`,
      }),
      z.string(),
    )
    .transform((note) => note || null),
});

const { least, most, words } = inboxLimits.search;

export const querySchema = z
  .pipe(
    cleanText({
      clean: plainLine,
      max: most,
      tooLong: `كلمات البحث طويلة: ${arabicNumber(most)} حرف على الأكثر`,
    }),
    z.string(),
  )
  .refine((text) => Array.from(text).length >= least, "اكتب حرفين على الأقل للبحث")
  .transform((typed) => ({ typed, query: withStoredNumbers(typed, words) }))
  .refine(({ query }) => query.split(" ").length <= words, "ابحث بخمس كلمات على الأكثر");
