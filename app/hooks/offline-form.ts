import {
  data,
  type DataStrategyResult,
  isRouteErrorResponse,
  type MiddlewareFunction,
} from "react-router";
import { actionFailure } from "#app/document/react-router-internals.ts";
import type { FormResult } from "#app/lib/form-errors.ts";

/** The result of a form that did not reach the site, or was refused before its action. */
export interface OfflineResult extends FormResult<string> {
  values: Record<string, string>;
  /** `reason`, with the sentence that the input is kept. */
  failure: string;
  reason: string;
  offlineError: unknown;
}

/** Whether `showErrorsInForm` made the result in the browser, because no action returned one. */
export const isOffline = (result: object | undefined): result is OfflineResult =>
  result !== undefined && "offlineError" in result;

type Results = Record<string, DataStrategyResult>;

// Longer than the server lets a form wait (session/service-calls.server.ts).
const deadlineMs = 15_000;

/** Turns the error of a POST into a form result: an error page would lose what was typed. */
export const showErrorsInForm: MiddlewareFunction<Results> = async ({ request }, next) => {
  if (request.method !== "POST") {
    return next();
  }
  const sent = request.clone();
  const results = await inTime(next());
  for (const result of Object.values(results)) {
    const isError = result.type === "error" && !(result.result instanceof Response);
    if (isError) {
      const values = Object.fromEntries(await sent.formData()) as OfflineResult["values"];
      result.type = "data";
      result.result = data(offlineResult(values, result.result), { status: 503 });
    }
  }
  return results;
};

function offlineResult(values: OfflineResult["values"], result: unknown): OfflineResult {
  const { error, status } = actionFailure(result);
  // The site's own 503 has no text (models/data-of.server.ts), a proxy's page has.
  const isProxys = status === 503 && isRouteErrorResponse(error) && error.data !== null;
  const reason = (isProxys ? undefined : failureText(status)) ?? unreachable;
  return {
    values,
    errors: {},
    failure: `${reason} ما كتبته محفوظ هنا.`,
    reason,
    offlineError: error,
  };
}

/** Rejects after `deadlineMs`: on a network that drops packets, browsers wait for minutes. */
async function inTime(work: Promise<Results>): Promise<Results> {
  const late = Promise.withResolvers<Results>();
  // The router takes the result of any matched route for the action's.
  const result: DataStrategyResult = {
    type: "error",
    result: new Error("The site did not answer in time."),
  };
  const timer = setTimeout(() => late.resolve({ root: result }), deadlineMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

export const unreachable = "انقطع الاتصال بالموقع. أعد المحاولة بعد قليل.";

const failureTexts: Record<number, string> = {
  400: "لم يقبل الموقع هذا النموذج: فيه حقول أكثر مما يُنتظر.",
  403: "لم يقبل الموقع هذا النموذج لأنه أُرسل من صفحة لها عنوان آخر. افتح الموقع من عنوانه الصحيح ثم أعد المحاولة.",
  413: "ما أرسلته أكبر مما يقبله الموقع. اختصره ثم أعد المحاولة.",
  500: "حدث خلل غير متوقع في الموقع، وسُجّل لإصلاحه. أعد المحاولة لاحقًا.",
  503: "تعذّر تنفيذ طلبك بسبب عطل مؤقت في الموقع، وسُجّل لإصلاحه. أعد المحاولة بعد قليل.",
};

/** The Arabic sentence for the HTTP status of a refused or failed form, if there is one. */
export function failureText(status: number): string | undefined {
  return failureTexts[status];
}
