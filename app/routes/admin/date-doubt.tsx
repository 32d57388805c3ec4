import { href } from "react-router";
import { ButtonForm } from "#app/components/post-form.tsx";
import type { ShownDoubt } from "./date-doubt.server.ts";
import { noticeClass, outlineClass } from "./looks.ts";

/** Asks the owner whether the machine's date is right. Nothing is deleted by age until then. */
export function DateDoubt({ now, before, asks, moment }: ShownDoubt) {
  return (
    <section aria-label="تاريخ الخادم" className={`${noticeClass} bg-danger-tint! text-danger`}>
      <p>
        يقول الخادم إن الوقت الآن {now}، وآخر ما تأكد منه {before}. لا يُحذف شيء لقِدمه حتى يتأكد
        التاريخ.{" "}
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
}
