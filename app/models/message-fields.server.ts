import { z } from "zod";
import { owner } from "#app/content/owner.ts";
import { arabicNumber } from "#app/lib/arabic-number.ts";
import { emailMaxLength, isEmail } from "#app/lib/email.ts";
import { plainEmail, plainLine, plainText } from "#app/lib/plain-text.ts";
import { cleanText } from "./clean-text.ts";
import { phoneSchema, shownPhone } from "./phone.server.ts";

interface Field {
  label: string;
  /** Cleans and checks what a visitor typed. The column has the same constraint (supabase/migrations). */
  schema: z.ZodType<string | null>;
  isOptional?: true;
  /** Whether it has several lines. */
  isLong?: true;
  /** Whether it is written from left to right. */
  isLatin?: true;
  /** Further attributes of its field in the form. */
  input?: {
    type?: "tel";
    inputMode?: "email" | "tel";
    autoComplete: "name" | "email" | "tel";
    autoCapitalize?: "none";
    autoCorrect?: "off";
    spellCheck?: false;
  };
  /** Returns a stored value as readers see it. */
  shown?(stored: string): string;
}

/** In UTF-16 units. The table counts characters, so it accepts every text within these limits. */
const limits = { name: 100, email: emailMaxLength, message: 5000 };

/**
 * The fields that a visitor sends, by their columns: for the form's check, the receipt, a refused form and
 * the export. Board and mails show the others of them in lines of their own (`extrasOf`).
 */
const fields = {
  name: {
    label: "الاسم",
    schema: z.pipe(
      cleanText({
        clean: plainLine,
        max: limits.name,
        tooLong: `الاسم طويل: ${arabicNumber(limits.name)} حرف على الأكثر`,
      }),
      z.string().min(1, "اكتب اسمك"),
    ),
    input: { autoComplete: "name" },
  },
  email: {
    label: "البريد الإلكتروني",
    schema: z.pipe(
      cleanText({
        clean: plainEmail,
        max: limits.email,
        tooLong: `البريد الإلكتروني طويل: ${arabicNumber(limits.email)} حرفًا على الأكثر`,
      }),
      z
        .string()
        .min(1, "اكتب بريدك الإلكتروني لأتمكن من الرد عليك")
        .refine(isEmail, "البريد الإلكتروني غير صحيح"),
    ),
    isLatin: true,
    // A text field, because browsers refuse addresses with the hidden marks that the site removes.
    input: {
      inputMode: "email",
      autoComplete: "email",
      autoCapitalize: "none",
      autoCorrect: "off",
      spellCheck: false,
    },
  },
  phone: {
    label: "رقم واتساب",
    schema: phoneSchema(owner.phone),
    isOptional: true,
    isLatin: true,
    shown: shownPhone,
    input: { type: "tel", inputMode: "tel", autoComplete: "tel" },
  },
  message: {
    label: "الرسالة",
    schema: z.pipe(
      cleanText({
        clean: plainText,
        max: limits.message,
        tooLong: `الرسالة طويلة: ${arabicNumber(limits.message)} حرف على الأكثر`,
      }),
      z.string().min(1, "اكتب رسالتك"),
    ),
    isLong: true,
  },
} satisfies Record<string, Field>;

type Fields = typeof fields;
export type MessageField = keyof Fields;

export const messageFields: Record<MessageField, Field> = fields;
export const fieldNames = Object.keys(fields) as MessageField[];

const schemasOf = (schema: (field: Field) => z.ZodType) =>
  Object.fromEntries(fieldNames.map((name) => [name, schema(messageFields[name])]));

/** A visitor's message, cleaned. */
export const messageSchema = z.object(
  schemasOf(({ schema }) => schema) as { [Name in MessageField]: Fields[Name]["schema"] },
);
export type NewMessage = z.infer<typeof messageSchema>;

/** The texts of a row. A column holds more texts than a field may allow today. */
type StoredTexts = {
  [Name in MessageField]: Fields[Name] extends { isOptional: true } ? string | null : string;
};
export const storedFields = schemasOf(({ isOptional }) =>
  isOptional ? z.string().nullable() : z.string(),
) as { [Name in MessageField]: z.ZodType<StoredTexts[Name]> };

export interface SheetField extends Omit<Field, "schema" | "shown"> {
  name: MessageField;
}

/** The lines of a sheet, of which the optional ones are the last. */
export const sheetFields: SheetField[] = fieldNames
  .map((name) => {
    const { schema: _, shown: __, ...field } = messageFields[name];
    return { ...field, name };
  })
  .toSorted((one, other) => Number(one.isOptional ?? false) - Number(other.isOptional ?? false));

export interface ShownField extends Pick<SheetField, "name" | "label" | "isLatin" | "isLong"> {
  text: string;
}

/** The fields of a message that are not empty. */
export const shownFields = (message: StoredTexts): ShownField[] =>
  sheetFields.flatMap((field) => {
    const text = message[field.name];
    const { shown = String } = messageFields[field.name];
    return text === null ? [] : [{ ...field, text: shown(text) }];
  });

/** What was typed into a field as readers would see it, or as it is if the field refuses it. */
export function shownTyped(name: MessageField, typed: string | undefined): string | undefined {
  const { schema, shown } = messageFields[name];
  const stored = schema.safeParse(typed).data;
  return shown && stored ? shown(stored) : typed;
}

/** The fields that board and mails show in places of their own. A further field is a line below them. */
const withOwnPlace = new Set<string>(["name", "email", "phone", "message"]);

/** The fields without a place of their own on the board and in mails. */
export const extrasOf = (message: StoredTexts): ShownField[] =>
  shownFields(message).filter(({ name }) => !withOwnPlace.has(name));
