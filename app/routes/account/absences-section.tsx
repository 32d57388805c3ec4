import { Field } from "#app/components/field.tsx";
import { PostForm } from "#app/components/post-form.tsx";
import type { FormResult } from "#app/lib/form-errors.ts";
import type { AbsenceToCome } from "#app/models/absences.server.ts";
import { Row, RowButton } from "./row.tsx";
import { Section } from "./section.tsx";

export interface AbsencesProps {
  toCome: AbsenceToCome[];
  /** The date in the owner's time zone. */
  today: string;
  /** The result of a refused form. */
  refused: FormResult<"first" | "last"> | undefined;
}

export function AbsencesSection({ toCome, today, refused }: AbsencesProps) {
  return (
    <Section
      id="absences"
      title="الغياب"
      text="أيام لا تعمل فيها: تقولها صفحتك لزوارها، ولا تُحسب من موعد ردك."
    >
      {toCome.length > 0 && (
        <ul aria-labelledby="absences" className="divide-y divide-line">
          {toCome.map(({ first, days, isRunning }) => (
            <Row
              key={first}
              title={days}
              action={
                <RowButton
                  value="end-absence"
                  fields={{ absence: first }}
                  aria-label={`${isRunning ? "إنهاء" : "حذف"} الغياب ${days}`}
                >
                  {isRunning ? "إنهاء" : "حذف"}
                </RowButton>
              }
            >
              {isRunning && "أنت غائب الآن."}
            </Row>
          ))}
        </ul>
      )}
      {/* The key empties the form when an absence was added. */}
      <PostForm key={toCome.length} submit="إضافة غياب" look="quiet" failure={refused?.failure}>
        <input type="hidden" name="action" value="add-absence" />
        <div className="grid gap-4 sm:grid-cols-2">
          {dayFields.map(({ name, label, input }) => (
            <Field
              key={name}
              {...{ name, label }}
              {...input}
              required
              min={today}
              defaultValue={refused?.values?.[name]}
              error={refused?.errors[name]}
            />
          ))}
        </div>
      </PostForm>
    </Section>
  );
}

/** The fields of an absence, also for the page of a refused form. */
export const dayFields = [
  { name: "first", label: "أول يوم", input: { type: "date" } },
  { name: "last", label: "آخر يوم", input: { type: "date" } },
] as const;
