import { data, href, redirect } from "react-router";
import type { Handle } from "#app/components/handle.ts";
import { waitText } from "#app/lib/duration.ts";
import { logFault } from "#app/lib/log.server.ts";
import { answerDayText } from "#app/models/absences.server.ts";
import { longDate } from "#app/models/date.server.ts";
import {
  fieldNames,
  messageSchema,
  sheetFields,
  shownFields,
} from "#app/models/message-fields.server.ts";
import { saveMessage, type SpamSign } from "#app/models/message.server.ts";
import { readReceipt } from "#app/models/receipt.server.ts";
import { type Problem, readForm } from "#app/routes/form.server.ts";
import { newTiming, timingCookie, timingSign } from "#app/session/form-timing.server.ts";
import { idOfReceipt, receiptOf, receiptPath } from "#app/session/signed-receipt.server.ts";
import { siteContext, visitorContext } from "#app/session/site-context.server.ts";
import type { Backend } from "#app/site-contract.server.ts";
import type { Route } from "./+types/home.ts";
import { ContactCard } from "./contact-card.tsx";
import { contactOf } from "./contact.server.ts";
import styles from "./home.css?inline";
import { MessageForm, trapName, Unsent } from "./message-form.tsx";
import { metaOf } from "./meta.ts";
import { Note } from "./note.tsx";
import { Thanks } from "./thanks.tsx";

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const receipt = url.searchParams.get("sent");
  const sent = await sentMessage(receipt, site.backend);
  const now = Date.now();
  const arrival = sent?.time ?? new Date(now).toISOString();
  const answerDay = receipt ? answerDayText(site.absences.list, arrival, now) : undefined;
  const cookie = timingCookie(site.secure, site.backend.cookieSecret);
  const timing = await newTiming(cookie, request.headers.get("Cookie"));
  const headers = new Headers(timing ? { "Set-Cookie": timing } : {});
  if (receipt) {
    headers.set("Cache-Control", "private, no-store");
  }
  const contact = contactOf(site);
  return data(
    { contact, fields: sheetFields, isSent: receipt !== null, sent, answerDay },
    { headers },
  );
}

/** The message that a visitor has just sent, by its receipt. Without it the page shows its thanks all the same. */
async function sentMessage(receipt: string | null, backend: Backend) {
  const id = idOfReceipt(receipt, backend);
  const stored =
    id &&
    (await readReceipt(backend, id).catch((error: unknown) => {
      logFault("A message just sent was not read", error);
    }));
  if (!stored) {
    return undefined;
  }
  return {
    texts: shownFields(stored),
    time: stored.created_at,
    date: longDate(stored.created_at),
    path: receiptPath(receipt, backend),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const fields = await request.formData();
  const form = readForm(fields, messageSchema, { keep: fieldNames });
  if (!form.ok) {
    return form.refused;
  }

  const { secure, backend, notifications } = context.get(siteContext);
  const cookie = timingCookie(secure, backend.cookieSecret);
  const signs = spamSigns(fields, await timingSign(cookie, request.headers.get("Cookie")));
  const { address } = context.get(visitorContext);
  const sent = { message: form.data, address, signs };
  const saved = await saveMessage(backend, sent).catch((error: unknown) =>
    logFault("The message was not stored", error),
  );
  if (!saved) {
    return form.refuse(unsent);
  }
  if (saved === "unknown") {
    return form.refuse(unknownFate);
  }
  if ("waitSeconds" in saved) {
    return form.refuse(tooManyMessages(saved.waitSeconds));
  }
  notifications.wake();
  // The result is in the address, because browsers that block cookies get no toast.
  return redirect(`${href("/")}?sent=${receiptOf(saved.id, backend)}#write`);
}

const unsent: Problem<never> = {
  status: 503,
  failure: "لم تُرسل رسالتك بسبب عطل مؤقت. نصها محفوظ هنا، أعد الإرسال بعد قليل.",
};

/** Nobody can tell whether the message arrived. The table drops a repeat. */
const unknownFate: Problem<never> = {
  status: 503,
  failure:
    "لا يُعرف هل وصلت رسالتك. حدث عطل مؤقت في الموقع. نصها محفوظ هنا: أعد إرساله كما هو خلال عشر دقائق، ولن تصل مرتين.",
};

const tooManyMessages = (waitSeconds: number): Problem<never> => ({
  status: 429,
  headers: { "Retry-After": String(waitSeconds) },
  failure: `وصلتني منك رسائل كثيرة في وقت قصير. نص رسالتك محفوظ هنا، أعد إرسالها بعد ${waitText(waitSeconds)}.`,
});

function spamSigns(form: FormData, timing: "haste" | "unseen" | undefined): SpamSign[] {
  return [...(form.get(trapName) === "" ? [] : ["trap" as const]), ...(timing ? [timing] : [])];
}

export const headers: Route.HeadersFunction = ({ parentHeaders, loaderHeaders, actionHeaders }) =>
  new Headers([...parentHeaders, ...loaderHeaders, ...actionHeaders]);

export const handle: Handle = { isPublic: true };

export const meta: Route.MetaFunction = ({ loaderData: { contact, isSent } }) => [
  ...metaOf(contact),
  // The page's own address may contain a receipt.
  ...(isSent ? [{ name: "robots", content: "noindex" }] : []),
];

export default function Home({ loaderData, actionData }: Route.ComponentProps) {
  const { contact, fields, isSent, sent, answerDay } = loaderData;
  return (
    <>
      {/* The styles are in the page, so that it is one request. */}
      <style href="home.css" precedence="default">
        {styles}
      </style>
      <main>
        {actionData && <Unsent result={actionData} />}
        <ContactCard contact={contact}>
          <section
            aria-labelledby="write"
            className="write grid grow content-center border-t border-line bg-sunk px-5 py-8 sm:px-10"
          >
            {isSent ? (
              <Thanks answerTime={answerDay ?? contact.answerTime} sent={sent} />
            ) : (
              <MessageForm fields={fields} result={actionData} explains={contact.explains} />
            )}
          </section>
        </ContactCard>
      </main>
      <footer className="flex flex-wrap justify-center gap-x-4 px-4 py-8 text-sm text-muted">
        {contact.explains && (
          <Note className="mb-3 w-full justify-center text-saffron-text">
            ليس في هذه الصفحة أي سكربت: تُقرأ فور وصولها، حتى على شبكة ضعيفة.
          </Note>
        )}
        <small className="text-sm">
          © 2025 <bdi>{contact.name}</bdi>. جميع الحقوق محفوظة.
        </small>
        <a href={href("/admin")} className="hover:text-brand hover:underline">
          لوحة الرسائل
        </a>
      </footer>
    </>
  );
}
