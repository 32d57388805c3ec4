import { createContext } from "react-router";
import { safePath } from "#app/lib/safe-path.ts";
import { fieldNames } from "#app/models/message-fields.server.ts";
import { type RouterContext, siteContext, visitorContext } from "./site-context.server.ts";

/** A form that was refused before its page could show it again, for routes/refused.tsx. */
interface RefusedForm {
  status: number;
  /** The reason, if the status does not explain it. */
  reason: string | undefined;
  /** The URL of the link back. */
  back: string;
  /** The typed texts by field, without passwords and codes. */
  typed: Record<string, string>;
  /** The message of a typed note, to send it again. */
  id: string | undefined;
}

/** Set by `refuseForm`. site.ts then shows it instead of the response. */
export const refusedFormContext = createContext<RefusedForm | null>(null);

/** Of a message, a note and an absence. */
const typedFields: string[] = [...fieldNames, "note", "first", "last"];

/** The texts that the visitor typed into the request's form. Empty for a request of a script. */
export function typedIn(context: RouterContext, names = typedFields): Record<string, string> {
  const { form } = context.get(visitorContext);
  const typed = names.map((name) => [name, form?.fields.get(name) ?? ""]);
  return Object.fromEntries(typed.filter(([, text]) => text !== ""));
}

/** Answers the request's form with a page that shows what was typed. No effect without a form. */
export function refuseForm(context: RouterContext, status: number, reason?: string): void {
  const { form } = context.get(visitorContext);
  if (!form) {
    return;
  }
  const { url } = context.get(siteContext);
  const back = safePath(form.path, url.origin) ?? "/";
  context.set(refusedFormContext, {
    status,
    reason,
    // A form from another address of the site is refused with 403: this leads to the right one.
    back: status === 403 ? new URL(back, form.origin ?? url).href : back,
    typed: typedIn(context),
    id: form.fields.get("id") ?? undefined,
  });
}
