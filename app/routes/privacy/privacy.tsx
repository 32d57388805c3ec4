import type { ReactNode } from "react";
import { href } from "react-router";
import { CardPage } from "#app/components/card-page.tsx";
import type { Handle } from "#app/components/handle.ts";
import { owner } from "#app/content/owner.ts";
import { counted } from "#app/lib/arabic-plural.ts";
import { logFault } from "#app/lib/log.server.ts";
import { fieldNames, messageFields } from "#app/models/message-fields.server.ts";
import { readPrivacyTerms } from "#app/models/privacy.server.ts";
import { siteContext } from "#app/session/site-context.server.ts";
import type { Route } from "./+types/privacy.ts";

const month = {
  zero: "",
  one: "شهرًا واحدًا",
  two: "شهرين",
  few: "أشهر",
  many: "شهرًا",
  other: "شهر",
};
const day = { zero: "", one: "يومًا واحدًا", two: "يومين", few: "أيام", many: "يومًا", other: "يوم" };

/** The fields of the form in a sentence, those that a visitor may leave empty or the others. */
function fieldsInWords(isOptional: boolean): string {
  const names = fieldNames.filter(
    (name) => (messageFields[name].isOptional ?? false) === isOptional,
  );
  const labels = names.map((name) => messageFields[name].label);
  return new Intl.ListFormat("ar").format(labels);
}

export async function loader({ context }: Route.LoaderArgs) {
  const { backend } = context.get(siteContext);
  const terms = await readPrivacyTerms(backend).catch((error: unknown) =>
    logFault("The privacy page is shown without its terms", error),
  );
  return {
    name: owner.name,
    asked: fieldsInWords(false),
    alsoAsked: fieldsInWords(true),
    terms: terms && {
      kept: counted(terms.months, month),
      discarded: counted(terms.discarded_days, day),
    },
    mayCount: terms?.is_counting ?? true,
    // The accounts of a hosted Supabase may belong to other sites, too.
    sweepsAccounts: !backend.sharesAccounts,
  };
}

export const handle: Handle = { isPublic: true };

export const meta: Route.MetaFunction = () => [
  { title: "الخصوصية" },
  { name: "description", content: "ما تطلبه هذه الصفحة من زوارها، ولماذا، وأين يُحفظ، وكم يبقى." },
];

export default function Privacy({ loaderData }: Route.ComponentProps) {
  const { name, asked, alsoAsked, terms, mayCount, sweepsAccounts } = loaderData;
  return (
    <CardPage title="الخصوصية">
      <p>
        هذا موقع <bdi>{name}</bdi>، وأنا صاحبه أكتب هنا بنفسي.
      </p>
      <Part title="ما أطلبه ولماذا">
        <p>
          {`${asked}، لأقرأها وأرد عليك.`}
          {alsoAsked && ` ولك أن تضيف ${alsoAsked}، للغرض نفسه.`} لا أستعملها لغير ذلك، ولا أبيعها ولا
          أعطيها لأحد.
        </p>
        <p>
          ويُعرف عنوان شبكتك (IP) عند الإرسال لمنع سيل الرسائل الآلية، ويُحذف خلال يومين. ويحفظ متصفحك
          وقت فتح الصفحة في ملف تعريف (كوكي) مدة ٣٠ يومًا للغرض نفسه، وهو لا يعرّف بك.
        </p>
      </Part>
      <Part title="أين تُحفظ">
        <p>
          في قاعدة بيانات هذا الموقع. وقد يصلني تنبيه برسالتك في بريدي أو على هاتفي. وإن كانت للموقع
          نسخ احتياطية فلا تبقى منها إلا نسخ آخر ٣٥ يومًا حُفظت فيها. وما نقلته إلى مكان آخر، أو بقي في
          مجلد لم يعد الموقع يستعمله، أحذفه بنفسي. ولا أستعملها إلا لإصلاح عطل.
        </p>
      </Part>
      <Part title="كم تبقى">
        <p>
          {terms
            ? `تنتقل الرسالة تلقائيًا إلى المهملات بعد ${terms.kept} من وصولها، وتُحذف نهائيًا بعد ${terms.discarded} فيها. والمزعجة بعد ${terms.discarded} من عدّها مزعجة، وما حذفته أنا بعد ${terms.discarded} من حذفه. وما أعدته من المهملات تبدأ مدته من جديد.`
            : "تُحذف كل رسالة تلقائيًا بعد مدة. تعذّرت قراءة هذه المدة الآن بسبب عطل مؤقت: عُد إلى هذه الصفحة بعد قليل."}{" "}
          يجري ذلك كل يوم. وتبقى الرسالة بعد حذفها في النسخ الاحتياطية حتى تُحذف نسخ أيامها.
        </p>
      </Part>
      <Part title="إن أنشأت حسابًا">
        <p>
          يُحفظ بريدك، وبصمة كلمة مرورك لا الكلمة نفسها، ومفتاح تطبيق المصادقة إن أضفته، ومتى أُنشئ
          الحساب واستُعمل، ونوع كل متصفح وجهاز دخلت منه. وتُحذف الجلسة حين تسجّل الخروج منها، أو بعد ٣٠
          يومًا بلا استعمال.
        </p>
        <p>
          يبقى ذلك ما بقي حسابك، وتحذفه كله في الحال من صفحة حسابك. ولا يبقى بعدها إلا في النسخ
          الاحتياطية، المدة المذكورة أعلاه.
          {sweepsAccounts &&
            " والحساب الذي لم يُؤكَّد بريده خلال أسبوع، أو لم يُستعمل بعد يومه الأول تسعين يومًا، يُحذف تلقائيًا."}
        </p>
      </Part>
      {mayCount && (
        <Part title="عدّ الزيارات">
          <p>
            {terms ? "يُعدّ" : "قد يُعدّ"} كم مرة فُتحت الصفحة وضُغط كل رابط من روابط التواصل، أرقامًا لكل
            يوم لا غير: بلا كوكي ولا عنوان ولا أثر لمن زارها.
          </p>
        </Part>
      )}
      <Part title="حقوقك وكيف تستعملها">
        <p>
          لك أن تقرأ ما حفظته عنك، وأن تأخذ نسخة منه، وأن تصححه أو تحذفه، وأن تسأل عنه. بعد الإرسال
          يظهر لك رابط «إيصال رسالتك»: به تقرأ رسالتك وتحذفها في الحال، بلا حساب. وإن ضاع منك الرابط{" "}
          <a href={href("/")} className="text-brand underline">
            فراسلني
          </a>{" "}
          من العنوان الذي كتبته فيها، وسأجيبك خلال ٣٠ يومًا. ولك أن تشكو إلى الجهة المعنية بحماية
          البيانات الشخصية في بلدك.
        </p>
      </Part>
      <a href={href("/")} className="text-brand underline">
        العودة إلى الرئيسية
      </a>
    </CardPage>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-2">
      <h2 className="text-xl font-bold">{title}</h2>
      {children}
    </section>
  );
}
