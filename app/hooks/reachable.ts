import { isRouteErrorResponse } from "react-router";

/** Whether fetch got no answer, or a proxy or the site said that the site cannot answer. */
export function isUnreachable(error: unknown): boolean {
  if (isRouteErrorResponse(error)) {
    return [502, 503, 504].includes(error.status);
  }
  return isBroken(error);
}

/** Whether a connection broke: fetch throws a TypeError, which React Router wraps if a body broke off. */
export const isBroken = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof Error && error.cause instanceof TypeError);

// Longer than the server lets a form wait (session/service-calls.server.ts).
const deadlineMs = 15_000;

/**
 * Waits for an answer of the site. Rejects as if the connection broke when there is none in time: on a
 * network that drops packets, browsers wait for minutes.
 */
export async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const fault = new TypeError("The site did not answer in time.");
    timer = setTimeout(reject, deadlineMs, fault);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
