import { z } from "zod";
import { untilAborted } from "#app/lib/until-aborted.ts";
import type { Backend } from "#app/site-contract.server.ts";

// As long as a page may take: a database that hangs keeps its connections open, and answers nothing.
const timeoutMs = 5000;

/** Answers the call of a function as PostgREST does. */
export type AnswerCall = (name: string, args: object) => Promise<Response>;

/**
 * Calls functions of the database through what answers them. Rejects for an answer that is not a
 * success, and without one in time; `refusal` says why the site may have been refused.
 */
export function siteCalls(answer: AnswerCall, refusal = ""): Backend["callAsSite"] {
  return async (name, args) => {
    const response = await untilAborted(AbortSignal.timeout(timeoutMs), answer(name, args));
    const text = await response.text();
    if (!response.ok) {
      const { status } = response;
      const cause = refusal !== "" && (status === 401 || status === 403) ? `: ${refusal}` : "";
      const code = codeIn(text);
      const fault = `${status} ${code}`.trim() + cause;
      const failed = new Error(`The function ${name} of the database failed: ${fault}`);
      throw Object.assign(failed, { code });
    }
    return text === "" ? undefined : JSON.parse(text);
  };
}

/** The code of a refusal. @returns "" for a gateway's, which has none */
function codeIn(text: string): string {
  try {
    return z.object({ code: z.string() }).parse(JSON.parse(text)).code;
  } catch {
    return "";
  }
}
