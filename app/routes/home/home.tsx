import { data, href, redirect } from "react-router";
import { siteContext } from "#app/session/site-context.server.ts";
import { waitText } from "#app/lib/duration.ts";
import { fieldErrors, textFields } from "#app/lib/form-errors.ts";
import { keepPage, keptHere } from "#app/hooks/offline-form.ts";
import { visitCookie, visitSign } from "#app/session/form-timing.server.ts";
import { getSupabase } from "#app/session/supabase.server.ts";
import { messageSchema } from "#app/models/message.ts";
import { saveMessage, type SpamSign } from "#app/models/message.server.ts";
import { confirmationTarget } from "#app/routes/auth/confirmation.ts";
import type { Route } from "./+types/home.ts";
import { ContactCard } from "./contact-card.tsx";
import { contactOf } from "./contact.server.ts";
import { type MessageResult, trapName } from "./message-form.tsx";
import { MessageSection } from "./message-section.tsx";
import { logFault } from "#app/lib/log.server.ts";

const messageFields = ["name", "email", "message"] as const;

/** Links in mails of sign-up lead here; the confirmation page completes them. */
export function loader({ url, context }: Route.LoaderArgs) {
  const target = confirmationTarget(url);
  if (target !== undefined) {
    throw redirect(target);
  }
  return {
    contact: contactOf(context.get(siteContext).url.origin),
    isSent: url.searchParams.has("sent"),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const values = textFields(form, messageFields);
  const result = messageSchema.safeParse(values);
  if (!result.success) {
    return refuse(400, { values, errors: fieldErrors(result.error) });
  }

  const { secure, backend } = context.get(siteContext);
  const visit = visitCookie(secure, backend.cookieSecret);
  const signs = spamSigns(form, await visitSign(visit, request.headers.get("Cookie")));
  try {
    const refusal = await saveMessage(getSupabase(context), result.data, signs);
    if (refusal) {
      return tooMany(values, refusal.waitSeconds);
    }
  } catch (error) {
    logFault("The message was not stored", error);
    return refuse(503, unsent(values));
  }
  // In the address, because a notice in a cookie would not reach a browser that blocks cookies.
  return redirect(`${href("/")}?sent`);
}

export const clientAction = (sending: Route.ClientActionArgs) =>
  keepPage(sending, (values, reason): MessageResult => ({
    values: values as MessageResult["values"],
    errors: {},
    failure: `لم تُرسل رسالتك. ${reason} ${keptHere}`,
  }));

const refuse = (status: number, result: MessageResult, extra?: Record<string, string>) =>
  data(result, { status, ...(extra && { headers: extra }) });

const unsent = (values: MessageResult["values"]): MessageResult => ({
  values,
  errors: {},
  failure: "لم تُرسل رسالتك بسبب عطل مؤقت. نصها محفوظ هنا، أعد الإرسال بعد قليل.",
});

function tooMany(values: MessageResult["values"], waitSeconds: number) {
  const failure = `وصلتني منك رسائل كثيرة في وقت قصير. نص رسالتك محفوظ هنا، أعد إرسالها بعد ${waitText(waitSeconds)}.`;
  return refuse(429, { values, errors: {}, failure }, { "Retry-After": String(waitSeconds) });
}

function spamSigns(form: FormData, visit: "haste" | "unseen" | undefined): SpamSign[] {
  return [...(form.get(trapName) === "" ? [] : ["trap" as const]), ...(visit ? [visit] : [])];
}

/** Passes on the Retry-After of a limited visitor. */
export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export const meta: Route.MetaFunction = ({ loaderData: { contact } }) => {
  const { name, title, description } = contact;
  const pageTitle = `${name} · ${title}`;
  return [
    { title: pageTitle },
    { name: "description", content: description },
    { property: "og:title", content: pageTitle },
    { property: "og:description", content: description },
    { property: "og:locale", content: "ar_SA" },
  ];
};

export default function Home({ loaderData, actionData }: Route.ComponentProps) {
  const { contact, isSent } = loaderData;
  return (
    <>
      <div className="lattice h-52 sm:h-64" />
      <main className="px-4 sm:px-6">
        <ContactCard contact={contact}>
          <MessageSection result={actionData} isSent={isSent} isBeside={contact.isFormBeside} />
        </ContactCard>
      </main>
      <footer className="flex flex-wrap justify-center gap-x-6 gap-y-2 px-4 py-8 text-sm text-muted">
        <small className="text-sm">
          © 2025 <bdi>{contact.name}</bdi>. جميع الحقوق محفوظة.
        </small>
        <a href={href("/admin")} className="hover:text-brand hover:underline print:hidden">
          لوحة الرسائل
        </a>
      </footer>
    </>
  );
}
