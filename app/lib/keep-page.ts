import { data } from "react-router";
import type { FormResult } from "../models/refusal.ts";

interface Sending<Sent> {
  request: Request;
  serverAction: () => Promise<Sent>;
}

type Values = Record<string, string>;

/**
 * Sends a form. A line that breaks meanwhile, or a proxy that finds nobody behind it, must not
 * take the page, and what was typed, with it, as an error of the page would.
 * @param answer what the page gets in place of the server's answer
 */
export async function keepPage<Sent, Kept>(
  { request, serverAction }: Sending<Sent>,
  answer: (values: Values, error: unknown) => Kept,
) {
  const form = await request.clone().formData();
  try {
    return await serverAction();
  } catch (error) {
    if (error instanceof Response) throw error;
    return data(answer(Object.fromEntries(form) as Values, error), { status: 503 });
  }
}

export const cutFailure =
  "تعذّر الوصول إلى الموقع بسبب عطل مؤقت. ما كتبته محفوظ هنا، أعد المحاولة بعد قليل.";

/** The answer of a form that did not reach the server. */
export type CutAnswer = FormResult<string> & { isCut: true };

/** The same for a form that shows a FormResult. */
export const keepForm = <Sent>(sending: Sending<Sent>) =>
  keepPage(sending, (values): CutAnswer => ({
    values,
    errors: {},
    failure: cutFailure,
    isCut: true,
  }));

/** The answer of a form that did not reach the server, if this is one. */
export const cutAnswer = (answer: object | undefined): CutAnswer | undefined =>
  answer && "isCut" in answer ? (answer as CutAnswer) : undefined;
