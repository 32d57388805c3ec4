import { data, isRouteErrorResponse } from "react-router";
import type { FormResult } from "#app/models/refusal.ts";
import { failureText } from "#app/lib/failure-text.ts";

interface Sending<Sent> {
  request: Request;
  serverAction: () => Promise<Sent>;
}

type Values = Record<string, string>;

// Longer than the server lets a form wait (session/service-calls.server.ts).
const deadlineMs = 15_000;

/**
 * Sends a form. A connection that breaks meanwhile, a proxy without a server behind it, a
 * refusal or a fault must not replace the page, and what was typed, as an error of the page
 * would.
 * @param answer what the page gets in place of the server's answer
 */
export async function keepPage<Sent, Kept>(
  { request, serverAction }: Sending<Sent>,
  answer: (values: Values, reason: string, error: unknown) => Kept,
) {
  const form = await request.clone().formData();
  try {
    return await inTime(serverAction());
  } catch (error) {
    if (error instanceof Response) {
      throw error;
    }
    const values = Object.fromEntries(form) as Values;
    return data(answer(values, reasonOf(error) ?? cut, error), { status: 503 });
  }
}

/** A network may swallow a request, and browsers wait for minutes. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error("The site did not answer in time.")),
    deadlineMs,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** For a form that gives back what was typed. */
export const keptHere = "ما كتبته محفوظ هنا.";

const cut = "تعذّر الوصول إلى الموقع بسبب عطل مؤقت. أعد المحاولة بعد قليل.";

/** Why the server said no; undefined if it said nothing. */
function reasonOf(error: unknown): string | undefined {
  if (isRouteErrorResponse(error)) {
    return failureText(error.status);
  }
  // What React Router makes of an error on the server.
  const isFault = error instanceof Error && error.message === "Unexpected Server Error";
  return isFault ? failureText(500) : undefined;
}

/** The answer of a form that did not reach the server, or was not taken by it. */
export type CutAnswer = FormResult<string> & { isCut: true };

/** The same for a form that shows a FormResult. */
export const keepForm = <Sent>(sending: Sending<Sent>) =>
  keepPage(sending, (values, reason): CutAnswer => ({
    values,
    errors: {},
    failure: `${reason} ${keptHere}`,
    isCut: true,
  }));

/** The answer of a form that was not taken, if this is one. */
export const cutAnswer = (answer: object | undefined): CutAnswer | undefined =>
  answer && "isCut" in answer ? (answer as CutAnswer) : undefined;
