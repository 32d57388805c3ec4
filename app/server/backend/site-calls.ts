import { z } from "zod";
import { untilAborted } from "#app/lib/until-aborted.ts";
import type { Backend, CallRefusal } from "#app/site-contract.server.ts";

/** As long as a page may take: a database that hangs keeps its connections open, and answers nothing. */
export const siteCallTimeoutMs = 5000;

/** A call that the database refused. */
export class SiteCallError extends Error implements CallRefusal {
  readonly status: number;
  readonly code: string;
  readonly details: string;

  constructor(name: string, { status, code, details }: CallRefusal) {
    super(`The function ${name} of the database failed: ${status} ${code}`.trim());
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** Answers the call of a function as PostgREST does. */
export type AnswerCall = (name: string, args: object) => Promise<Response>;

/**
 * Calls functions of the database through what answers them. Rejects with a SiteCallError for an answer
 * that is not a success, and without one in time.
 */
export function siteCalls(answer: AnswerCall): Backend["callAsSite"] {
  return async (name, args) => {
    const deadline = AbortSignal.timeout(siteCallTimeoutMs);
    const response = await untilAborted(deadline, answer(name, args));
    const text = await response.text();
    if (!response.ok) {
      throw new SiteCallError(name, { status: response.status, ...refusalIn(text) });
    }
    return text === "" ? undefined : JSON.parse(text);
  };
}

const refusalSchema = z.object({ code: z.string(), details: z.string().nullable() });

function refusalIn(text: string): { code: string; details: string } {
  const { code, details } = refusalSchema.parse(JSON.parse(text));
  return { code, details: details ?? "" };
}
