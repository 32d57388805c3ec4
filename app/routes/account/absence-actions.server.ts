import { href } from "react-router";
import { redirectWithToast } from "remix-toast";
import { z } from "zod";
import {
  type AbsenceRefusal,
  addAbsence,
  daysText,
  endAbsence,
} from "#app/models/absences.server.ts";
import { fileDate } from "#app/models/date.server.ts";
import { readInboxState } from "#app/models/inbox.server.ts";
import { readForm } from "#app/routes/form.server.ts";
import { getSupabase } from "#app/session/clients.server.ts";
import { type RouterContext, siteContext } from "#app/session/site-context.server.ts";

const section = () => `${href("/account")}#absences`;
const dayMs = 24 * 60 * 60 * 1000;
const longestDays = 366;

/** The table has the same rules, except that it does not know the owner's date. */
const absenceSchema = (today: string) =>
  z
    .object({
      first: z.iso
        .date("اختر أول يوم")
        .refine((day) => day >= today, "هذا اليوم مضى: اختر اليوم أو يومًا بعده"),
      last: z.iso
        .date("اختر آخر يوم")
        .refine(
          (day) => day <= `${Number(today.slice(0, 4)) + 2}${today.slice(4)}`,
          "آخر يوم بعد سنتين من اليوم على الأكثر",
        ),
    })
    .refine(({ first, last }) => first <= last, {
      path: ["last"],
      error: "آخر يوم قبل أول يوم",
    })
    .refine(({ first, last }) => (Date.parse(last) - Date.parse(first)) / dayMs < longestDays, {
      path: ["last"],
      error: "الغياب الواحد ٣٦٦ يومًا على الأكثر",
    });

const refusals: Record<AbsenceRefusal, string> = {
  overlap: "في هذه الأيام غياب آخر في القائمة",
  full: "في القائمة عشرون غيابًا قادمًا، ولا تتسع لأكثر",
};

/** Adds an absence, or shows the form again. Refuses accounts that do not own the inbox. */
export async function addOwnersAbsence(context: RouterContext, fields: FormData) {
  const schema = absenceSchema(fileDate(new Date()));
  const form = readForm(fields, schema, { keep: ["first", "last"] });
  if (!form.ok) {
    return form.refused;
  }
  const supabase = getSupabase(context);
  if ((await readInboxState(supabase)).owner !== "me") {
    return notOwner();
  }
  const refusal = await addAbsence(supabase, form.data);
  if (refusal) {
    return form.refuse({ status: 409, errors: { first: refusals[refusal] } });
  }
  await context.get(siteContext).absences.read();
  return redirectWithToast(section(), {
    type: "success",
    message: "سُجّل غيابك",
    description: daysText(form.data),
  });
}

/** Ends the absence that the form names by its first day. Redirects to the page with the form. */
export async function endOwnersAbsence(context: RouterContext, fields: FormData) {
  const first = z.iso.date().safeParse(fields.get("absence")).data;
  const supabase = getSupabase(context);
  if ((await readInboxState(supabase)).owner !== "me") {
    return notOwner();
  }
  const today = fileDate(new Date());
  const wasThere = first !== undefined && (await endAbsence(supabase, first, today));
  await context.get(siteContext).absences.read();
  return redirectWithToast(
    fields.has("board") ? href("/admin") : section(),
    wasThere
      ? { type: "success", message: first < today ? "انتهى غيابك" : "أُلغي الغياب" }
      : { type: "error", message: "هذا الغياب ليس في القائمة" },
  );
}

const notOwner = () =>
  redirectWithToast(href("/account"), { type: "error", message: "الغياب لصاحب الصندوق وحده" });
