import { data, href, redirect } from "react-router";
import { ButtonForm } from "#app/components/button-form.tsx";
import { buttonClass } from "#app/components/button.ts";
import { CardPage } from "#app/components/card-page.tsx";
import { Seal, SheetPage, Written } from "#app/components/sheet.tsx";
import { failureText } from "#app/hooks/keep-form.ts";
import { log } from "#app/lib/log.server.ts";
import { answerDayText } from "#app/models/absences.server.ts";
import { longDate } from "#app/models/date.server.ts";
import { shownFields } from "#app/models/message-fields.server.ts";
import { readReceipt, withdrawMessage } from "#app/models/receipt.server.ts";
import { idOfReceipt, receiptPath } from "#app/session/signed-receipt.server.ts";
import { siteContext } from "#app/session/site-context.server.ts";
import type { Route } from "./+types/receipt.ts";

const unread = "تعذّر فتح رسالتك الآن";

export async function loader({ url, context }: Route.LoaderArgs) {
  const { backend, absences } = context.get(siteContext);
  const id = idOfReceipt(url.searchParams.get("t"), backend);
  if (id === undefined) {
    return data({ title: "هذا الرابط غير صحيح", sent: undefined, isGone: false }, { status: 404 });
  }
  const receipt = await readReceipt(backend, id);
  if (!receipt) {
    return data({ title: "لم تعد رسالتك محفوظة", sent: undefined, isGone: true }, { status: 410 });
  }
  const { created_at: sentAt, kept_until: keptUntil } = receipt;
  const sent = {
    texts: shownFields(receipt),
    sentAt: { time: sentAt, date: longDate(sentAt) },
    keptUntil: { time: keptUntil, date: longDate(keptUntil) },
    answerDay: answerDayText(absences.list, sentAt, Date.now()),
  };
  return data({ title: "إيصال رسالتك", sent, isGone: false });
}

/** Deletes the message. Pressing the button twice, or in two tabs, is no fault. */
export async function action({ url, context }: Route.ActionArgs) {
  const { backend } = context.get(siteContext);
  const receipt = url.searchParams.get("t");
  const id = idOfReceipt(receipt, backend);
  if (id !== undefined && (await withdrawMessage(backend, id))) {
    log.info("A message was deleted by its sender", { message: id });
  }
  return redirect(receiptPath(receipt, backend) ?? href("/receipt"));
}

/** Nobody else may learn the page's address. With `no-referrer` its form would post `Origin: null`. */
export const headers = () => ({
  "Referrer-Policy": "same-origin",
  "X-Robots-Tag": "noindex",
  "Cache-Control": "private, no-store",
});

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData?.title ?? unread },
  { name: "robots", content: "noindex" },
];

export default function ReceiptPage({ loaderData }: Route.ComponentProps) {
  const { title, sent, isGone } = loaderData;
  if (sent) {
    return <Sent title={title} {...sent} />;
  }
  return (
    <CardPage title={title}>
      <p>
        {isGone ? "حُذفت من صندوق الرسائل، ولا يمكن استرجاعها." : "تأكّد من نسخ رابط الإيصال كاملًا."}
      </p>
      <Links />
    </CardPage>
  );
}

/** Usually the database failed. A reload may help. */
export function ErrorBoundary() {
  return (
    <CardPage title={unread}>
      <p>{failureText(503)}</p>
      <Links />
    </CardPage>
  );
}

function Links() {
  return (
    <p className="flex flex-wrap gap-x-6 gap-y-2 print:hidden">
      <a href={href("/privacy")} className="text-brand underline">
        الخصوصية
      </a>
      <a href={href("/")} className="text-brand underline">
        العودة إلى الرئيسية
      </a>
    </p>
  );
}

type SentProps = { title: string } & NonNullable<Route.ComponentProps["loaderData"]["sent"]>;

function Sent({ title, texts, sentAt, keptUntil, answerDay }: SentProps) {
  return (
    <SheetPage title={title} below={<Deletion keptUntil={keptUntil} />}>
      <Written texts={texts} />
      <Seal>
        <p className="text-2xl font-bold">وصلت رسالتك</p>
        {answerDay && <p>أرد على بريدك {answerDay}.</p>}
        <p className="text-muted">
          <time dateTime={sentAt.time}>{sentAt.date}</time>
        </p>
      </Seal>
    </SheetPage>
  );
}

function Deletion({ keptUntil }: Pick<SentProps, "keptUntil">) {
  return (
    <div className="grid gap-4 print:hidden">
      <p>
        تُحذف تلقائيًا في موعد أقصاه <time dateTime={keptUntil.time}>{keptUntil.date}</time>، ثم تزول
        من النسخ الاحتياطية لآخر ٣٥ يومًا. وتستطيع حذفها الآن.
      </p>
      <p className="text-muted">
        احتفظ برابط هذه الصفحة لنفسك: كل من يفتحه يقرأ رسالتك ويستطيع حذفها.
      </p>
      {/* The second step is in the page: nothing is under the thumb that has pressed the first. */}
      <details>
        <summary
          className={buttonClass("quiet", "w-full text-danger! [&::-webkit-details-marker]:hidden")}
        >
          حذف رسالتي نهائيًا
        </summary>
        <p className="my-4">لا يمكن استرجاعها بعد ذلك.</p>
        <ButtonForm>
          <button type="submit" className={buttonClass("quiet", "text-danger!")}>
            نعم، احذفها
          </button>
        </ButtonForm>
      </details>
      <Links />
    </div>
  );
}
