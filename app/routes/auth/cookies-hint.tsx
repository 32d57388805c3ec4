import { Failure } from "#app/components/form-parts.tsx";

export function CookiesHint() {
  return (
    <Failure>
      <strong className="block">متصفحك يمنع ملفات تعريف الارتباط (cookies)</strong>
      قبل الموقع بريدك وكلمة مرورك، لكن متصفحك لم يحفظ الجلسة، والدخول لا يكتمل من دونها. افتح
      إعدادات الموقع من الرمز الذي بجانب العنوان، واسمح بملفات تعريف الارتباط لهذا الموقع، ثم سجّل
      الدخول من جديد.
    </Failure>
  );
}
