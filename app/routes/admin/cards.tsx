import { href } from "react-router";
import { buttonClass } from "#app/components/button.ts";
import { Icon } from "#app/components/icons.tsx";
import { ButtonForm } from "#app/components/post-form.tsx";
import type { BoardMessage } from "#app/models/inbox.ts";

// Clipped, because marks piled on one letter are drawn far outside of their line.
const card = "overflow-clip rounded-2xl border border-line bg-surface p-5 sm:p-6";

const spamSigns: Record<string, string> = {
  trap: "مُلئ حقل لا يراه الناس",
  haste: "أُرسلت أسرع مما يكتب الناس",
  unseen: "لم تُفتح صفحتها قبل إرسالها",
  links: "فيها روابط كثيرة",
  repeat: "تكرر نصها",
};

export function MessageCard({ message, canSort }: { message: BoardMessage; canSort: boolean }) {
  const {
    id,
    name,
    email,
    message: text,
    created_at: createdAt,
    date,
    spam_signs: signs,
  } = message;
  return (
    <article className={`rise ${card}`}>
      <header className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 className="-mx-1 overflow-clip px-1 text-lg font-bold wrap-anywhere">
          <bdi>{name}</bdi>
        </h2>
        <time dateTime={createdAt} className="text-sm text-muted">
          {date}
        </time>
      </header>
      <a
        href={`mailto:${encodeURIComponent(email).replace("%40", "@")}`}
        className="inline-block overflow-clip py-1 text-brand underline underline-offset-4 wrap-anywhere"
      >
        <bdi dir="ltr">{email}</bdi>
      </a>
      <MessageText name={name} text={text} />
      {signs && (
        <footer className="mt-4 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-3">
          <p className="text-sm text-muted">{signs.map((sign) => spamSigns[sign]).join("، ")}</p>
          {canSort && (
            <ButtonForm action={href("/admin")} onSubmit={focusBox}>
              <input type="hidden" name="id" value={id} />
              <button type="submit" className={buttonClass("quiet")}>
                ليست مزعجة
              </button>
            </ButtonForm>
          )}
        </footer>
      )}
    </article>
  );
}

// The shortest text that may need to scroll, in lines of a narrow screen.
const longText = 15;
const letters = 20;

/** A long text scrolls, and only then takes the focus. Its box cuts a line, to show that. */
function MessageText({ name, text }: { name: string; text: string }) {
  const isLong = text.split("\n").length + text.length / letters > longText;
  return (
    <div
      {...(isLong && { role: "group", "aria-label": `رسالة ${name}`, tabIndex: 0 })}
      className="-mx-2 mt-1 -mb-2 max-h-124 overflow-y-auto p-2 print:max-h-none print:overflow-visible"
    >
      {/* Each line has the direction of its own words. */}
      <p className="leading-8 wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext]">{text}</p>
    </div>
  );
}

export function EmptyBoard() {
  return (
    <div className={`${card} grid justify-items-center gap-3 py-16 text-center text-muted`}>
      <Icon name="inbox" className="size-14 text-brand" />
      <p className="text-lg font-semibold">لا توجد رسائل بعد</p>
    </div>
  );
}

/** Moves the focus off a button that is removed with its card. */
function focusBox() {
  document.querySelector<HTMLElement>("[aria-current]")?.focus();
}

export function ClosedBoard() {
  return (
    <div className={`${card} grid justify-items-center gap-3 py-16 text-center`}>
      <Icon name="lock" className="size-14 text-brand" />
      <p className="text-lg font-semibold">هذا الصندوق لصاحب الموقع وحده</p>
      <p className="max-w-prose text-muted">
        حسابك يعمل، لكن رسائل الزوار لا تظهر إلا لصاحب الموقع. إن كنت صاحبه فسجّل الخروج ثم ادخل بحسابك
        الآخر.
      </p>
    </div>
  );
}

export function UnownedNote() {
  return (
    <form
      action={href("/admin/claim")}
      className="flex flex-wrap items-center justify-between gap-3 rounded-2xl bg-tint p-4 sm:px-6"
    >
      <p>كل حساب مسجّل في الموقع يستطيع قراءة هذه الرسائل.</p>
      <button type="submit" className={buttonClass("primary")}>
        اجعل الصندوق لي وحدي
      </button>
    </form>
  );
}

export function LoadingCard() {
  return (
    <div aria-busy="true" className={card}>
      <p className="text-muted">جاري التحميل...</p>
      <div aria-hidden="true" className="shimmer mt-4 grid gap-3">
        <span className="h-5 w-1/3 rounded-full bg-tint" />
        <span className="h-4 w-full rounded-full bg-tint" />
        <span className="h-4 w-2/3 rounded-full bg-tint" />
      </div>
    </div>
  );
}
