import { type ClientActionFunctionArgs, data, isRouteErrorResponse } from "react-router";
import type { FormResult } from "#app/lib/form-errors.ts";
import { isSessionEnd, sessionEndTexts } from "./held-page.ts";
import { inTime, isBroken } from "./reachable.ts";

/** The result of a form that did not reach the site, or was refused before its action. */
export interface OfflineResult extends FormResult<string> {
  values: Record<string, string>;
  /** `reason`, with the sentence that the input is kept. */
  failure: string;
  reason: string;
  /** True if the action certainly did not run. If it is false, nobody knows. */
  isRefused: boolean;
  /** Whether the session has ended, or waits for a code. */
  needsSignIn: boolean;
  offlineError: unknown;
}

/** Whether `keepForm` made the result in the browser, because no action returned one. */
export const isOffline = (result: object | undefined): result is OfflineResult =>
  result !== undefined && "offlineError" in result;

/**
 * The `clientAction` of a form's route: sends the form to the action. If the connection breaks or a
 * status refuses it, the page stays with what was typed, and the form shows why: an error page would
 * lose it. A redirect and a fault of the scripts are thrown.
 */
export async function keepForm({ request, serverAction }: ClientActionFunctionArgs) {
  const sent = request.clone();
  return inTime(serverAction<never>(), async (error) => {
    if (!isRouteErrorResponse(error) && !isBroken(error)) {
      throw error;
    }
    const values = Object.fromEntries(await sent.formData()) as OfflineResult["values"];
    return data(offlineResult(values, error), { status: 503 });
  });
}

function offlineResult(values: OfflineResult["values"], error: unknown): OfflineResult {
  const reason = reasonOf(error);
  return {
    values,
    errors: {},
    failure: `${reason} ما كتبته محفوظ هنا.`,
    reason,
    isRefused: isRouteErrorResponse(error) && error.status < 500,
    needsSignIn: isRouteErrorResponse(error) && error.status === 401,
    offlineError: error,
  };
}

function reasonOf(error: unknown): string {
  if (!isRouteErrorResponse(error)) {
    return unreachable;
  }
  if (isSessionEnd(error.data)) {
    return sessionEndTexts[error.data];
  }
  // A 503 of the site has no text (models/data-of.server.ts), and a page of a proxy has one.
  const isProxys = error.status === 503 && Boolean(error.data);
  return (isProxys ? undefined : failureText(error.status)) ?? unreachable;
}

export const unreachable = "انقطع الاتصال بالموقع. أعد المحاولة بعد قليل.";

const failureTexts: Record<number, string> = {
  403: "لم يقبل الموقع هذا النموذج لأنه أُرسل من صفحة لها عنوان آخر. افتح الموقع من عنوانه الصحيح ثم أعد المحاولة.",
  413: "ما أرسلته أكبر مما يقبله الموقع. اختصره ثم أعد المحاولة.",
  500: "حدث خلل غير متوقع في الموقع، وسُجّل لإصلاحه. أعد المحاولة لاحقًا.",
  503: "تعذّر تنفيذ طلبك بسبب عطل مؤقت في الموقع، وسُجّل لإصلاحه. أعد المحاولة بعد قليل.",
};

/** The Arabic sentence for the HTTP status of a refused or failed form, if there is one. */
export function failureText(status: number): string | undefined {
  return failureTexts[status];
}
