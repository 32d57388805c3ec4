import { href } from "react-router";
import { ButtonForm } from "#app/components/post-form.tsx";
import type { BoardFault } from "./board-faults.server.ts";
import type { ShownDoubt } from "./date-doubt.server.ts";
import { linkClass, noticeClass, outlineClass } from "./looks.ts";

interface Props {
  doubt: ShownDoubt | undefined;
  faults: BoardFault[];
  /** Sentences about what a live site still lacks. */
  lacks: string[];
}

const dangerClass = `${noticeClass} bg-danger-tint! text-danger`;

/** What the owner should see to, above the messages. */
export const OwnerNotices = ({ doubt, faults, lacks }: Props) => (
  <>
    {doubt && <DateDoubt {...doubt} />}
    {faults.map((fault) => !fault.isTip && <Fault key={fault.to} {...fault} />)}
    {lacks.length > 0 && <Readiness lacks={lacks} />}
  </>
);

/** Asks the owner whether the machine's date is right. Nothing is deleted by age until then. */
const DateDoubt = ({ now, before, asks, moment }: ShownDoubt) => (
  <section aria-label="تاريخ الخادم" className={dangerClass}>
    <p>
      يقول الخادم إن الوقت الآن {now}، وآخر ما تأكد منه {before}. لا يُحذف شيء لقِدمه حتى يتأكد التاريخ.{" "}
      {asks
        ? "إن كان خطأ فصحّح ساعة الخادم، ولا تؤكده: تُحذف به رسائل قبل وقتها."
        : "إن كان صحيحًا عاد الحذف وحده خلال يوم. وإن كان خطأ فصحّح ساعة الخادم."}
    </p>
    <ButtonForm action={href("/admin")}>
      <button type="submit" name="date" value={moment} className={outlineClass}>
        نعم، هذا التاريخ صحيح
      </button>
    </ButtonForm>
  </section>
);

const Fault = ({ text, link, to, canRetry }: BoardFault) => (
  <div className={dangerClass}>
    <p>
      {text}{" "}
      <a href={to} className="underline underline-offset-4">
        {link}
      </a>
    </p>
    {canRetry && (
      <ButtonForm action={href("/account")}>
        <button type="submit" name="notification-retry" value="board" className={outlineClass}>
          أعد المحاولة
        </button>
      </ButtonForm>
    )}
  </div>
);

const Readiness = ({ lacks }: Pick<Props, "lacks">) => (
  <details className={noticeClass}>
    <summary className="min-h-11 cursor-pointer content-center font-bold">
      موقعك منشور، ولم يكتمل بعد
    </summary>
    <ul className="list-disc space-y-1 ps-5">
      {lacks.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
    <p className="pt-2">
      تكتب ما في الصفحة في الملف <bdi dir="ltr">app/content/owner.ts</bdi>، والباقي من إعدادات
      الموقع:{" "}
      <a href={href("/account/documents/:name", { name: "deploy" })} className={linkClass}>
        طريقة الإعداد
      </a>
      .
    </p>
  </details>
);
