import { isRouteErrorResponse } from "react-router";

/** Whether a proxy or the site said that the site cannot answer. */
export const isAway = (error: unknown): boolean =>
  isRouteErrorResponse(error) && [502, 503, 504].includes(error.status);

/** Whether a connection broke: fetch throws a TypeError, which React Router wraps if a body broke off. */
export const isBroken = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof Error && error.cause instanceof TypeError);

// Longer than the server lets a form wait (session/service-calls.server.ts).
const deadlineMs = 15_000;

/**
 * Waits for an answer of the site. `keep` gets the reason if there is none, and returns or throws instead:
 * on a network that drops packets, browsers wait for minutes.
 */
export function inTime<Answer, Kept>(
  answer: Promise<Answer>,
  keep: (error: unknown) => Kept | Promise<Kept>,
): Promise<Awaited<Answer> | Kept> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const fault = new TypeError("The site did not answer in time.");
    timer = setTimeout(reject, deadlineMs, fault);
  });
  return Promise.race([answer, late])
    .catch(keep)
    .finally(() => clearTimeout(timer));
}
