import { data, href, redirect } from "react-router";
import { redirectWithToast } from "remix-toast";
import { owner } from "../../content/owner.ts";
import { siteContext } from "../../context.ts";
import { waitText } from "../../lib/duration.ts";
import { fieldErrors, textFields } from "../../lib/form-errors.ts";
import { keepPage } from "../../lib/keep-page.ts";
import { isHasty, visitCookie } from "../../lib/visit.ts";
import { getSupabase } from "../../middleware/supabase.ts";
import { messageSchema } from "../../models/message.ts";
import { saveMessage, type SpamSign } from "../../models/message.server.ts";
import { confirmationTarget } from "../auth/confirmation.ts";
import type { Route } from "./+types/home.ts";
import { ContactCard } from "./contact-card.tsx";
import { MessageForm, type MessageResult, trapName } from "./message-form.tsx";

const messageFields = ["name", "email", "message"] as const;

/** A mail's link that leads to the site itself, as sign-up's does, is completed elsewhere. */
export function loader({ url }: Route.LoaderArgs) {
  const target = confirmationTarget(url);
  return target === undefined ? null : redirect(target);
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const values = textFields(form, messageFields);
  const result = messageSchema.safeParse(values);
  if (!result.success) return refuse(400, { values, errors: fieldErrors(result.error) });

  const { secure, backend } = context.get(siteContext);
  const visit = visitCookie(secure, backend.cookieSecret);
  const sign = await spamSign(form, () => isHasty(visit, request.headers.get("Cookie")));
  try {
    const refusal = await saveMessage(getSupabase(context), result.data, sign);
    if (refusal) return tooMany(values, refusal.waitSeconds);
  } catch (error) {
    console.error(error instanceof Error ? error.message : "The message was not stored.");
    return refuse(503, unsent(values));
  }
  return redirectWithToast(href("/"), {
    type: "success",
    message: "وصلت رسالتك",
    description: "شكرًا لك، سأرد عليك في أقرب وقت.",
  });
}

export const clientAction = (sending: Route.ClientActionArgs) =>
  keepPage(sending, (values): MessageResult => unsent(values as MessageResult["values"]));

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

async function spamSign(
  form: FormData,
  hasty: () => Promise<boolean>,
): Promise<SpamSign | undefined> {
  if (form.get(trapName) !== "") return "trap";
  return (await hasty()) ? "haste" : undefined;
}

/** What only the action's answer carries: for how long a limited visitor should wait. */
export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export function meta() {
  const title = `${owner.name} · ${owner.title}`;
  return [
    { title },
    { name: "description", content: owner.description },
    { property: "og:title", content: title },
    { property: "og:description", content: owner.description },
    { property: "og:locale", content: "ar_SA" },
  ];
}

export default function Home({ actionData }: Route.ComponentProps) {
  return (
    <>
      <main className="mx-auto grid max-w-lg gap-6 p-4 py-6 sm:py-10 lg:max-w-5xl lg:grid-cols-[5fr_6fr] lg:items-start">
        <ContactCard />
        <MessageForm result={actionData} />
      </main>
      <footer className="px-4 pb-8 text-center text-sm text-muted">
        <small>
          © 2025 <bdi>{owner.name}</bdi>. جميع الحقوق محفوظة.
        </small>
      </footer>
    </>
  );
}
