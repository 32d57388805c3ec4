import { href, redirect } from "react-router";
import { z } from "zod";
import { owner } from "#app/content/owner.ts";
import { waitText } from "#app/lib/duration.ts";
import { logFault } from "#app/lib/log.server.ts";
import { saveMessage, type SpamSign } from "#app/models/message.server.ts";
import { messageSchema } from "#app/models/message.ts";
import { phoneSchema } from "#app/models/phone.server.ts";
import { type Problem, readForm } from "#app/routes/form.server.ts";
import { timingCookie, timingSign } from "#app/session/form-timing.server.ts";
import { receiptOf, receiptPath } from "#app/session/receipt.server.ts";
import { siteContext } from "#app/session/site-context.server.ts";
import { getSupabase } from "#app/session/supabase.server.ts";
import type { Route } from "./+types/home.ts";
import { ContactCard } from "./contact-card.tsx";
import { contactOf } from "./contact.server.ts";
import { MessageForm, trapName } from "./message-form.tsx";
import { metaOf } from "./meta.server.ts";
import { Thanks } from "./thanks.tsx";

const visitorSchema = z.object({ ...messageSchema.shape, phone: phoneSchema(owner.phone) });

export function loader({ url, context }: Route.LoaderArgs) {
  const { backend, url: site } = context.get(siteContext);
  return {
    contact: contactOf(site.origin),
    meta: metaOf(site.href),
    isSent: url.searchParams.has("sent"),
    receipt: receiptPath(url.searchParams.get("sent"), backend),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const fields = await request.formData();
  const form = readForm(fields, visitorSchema, { keep: ["name", "email", "phone", "message"] });
  if (!form.ok) {
    return form.refused;
  }

  const { secure, backend, notifications } = context.get(siteContext);
  const cookie = timingCookie(secure, backend.cookieSecret);
  const signs = spamSigns(fields, await timingSign(cookie, request.headers.get("Cookie")));
  try {
    const refusal = await saveMessage(getSupabase(context), form.data, signs);
    if (refusal) {
      return form.refuse(tooMany(refusal.waitSeconds));
    }
  } catch (error) {
    logFault("The message was not stored", error);
    return form.refuse(unsent);
  }
  notifications.wake();
  // In the address, because browsers that block cookies get no toast.
  return redirect(`${href("/")}?sent=${await receiptOf(backend, form.data)}`);
}

const unsent: Problem<never> = {
  status: 503,
  failure: "لم تُرسل رسالتك بسبب عطل مؤقت. نصها محفوظ هنا، أعد الإرسال بعد قليل.",
};

const tooMany = (waitSeconds: number): Problem<never> => ({
  status: 429,
  headers: { "Retry-After": String(waitSeconds) },
  failure: `وصلتني منك رسائل كثيرة في وقت قصير. نص رسالتك محفوظ هنا، أعد إرسالها بعد ${waitText(waitSeconds)}.`,
});

function spamSigns(form: FormData, timing: "haste" | "unseen" | undefined): SpamSign[] {
  return [...(form.get(trapName) === "" ? [] : ["trap" as const]), ...(timing ? [timing] : [])];
}

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData.meta;

export default function Home({ loaderData, actionData }: Route.ComponentProps) {
  const { contact, isSent, receipt } = loaderData;
  return (
    <>
      <div className="cover h-52 sm:h-64" />
      <main className="px-4 sm:px-6">
        <ContactCard contact={contact}>
          <section
            aria-labelledby="write"
            className="flex flex-col bg-sunk p-5 sm:p-10 print:hidden"
          >
            {isSent ? <Thanks receipt={receipt} /> : <MessageForm result={actionData} />}
          </section>
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
