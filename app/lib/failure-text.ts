const texts: Record<number, string> = {
  400: "لم يقبل الموقع هذا النموذج: فيه حقول أكثر مما يُنتظر.",
  403: "لم يقبل الموقع هذا النموذج لأنه أُرسل من صفحة لها عنوان آخر. افتح الموقع من عنوانه الصحيح ثم أعد المحاولة.",
  413: "ما أرسلته أكبر مما يقبله الموقع. اختصره ثم أعد المحاولة.",
  500: "حدث خلل غير متوقع في الموقع، وسُجّل لإصلاحه. أعد المحاولة لاحقًا.",
};

/** The Arabic sentence for the HTTP status of a refused or failed form, if there is one. */
export function failureText(status: number): string | undefined {
  return texts[status];
}
