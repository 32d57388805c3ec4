import { z } from "zod";
import { limitReached, log } from "#app/lib/log.server.ts";

const captcha =
  "The Supabase at SUPABASE_URL asks for a captcha, which this site cannot show: turn it off (Authentication, Attack Protection), or nobody can sign in.";

const report = (fault: string) => log.often("error", fault);

/** The setting whose key a request has. */
export type KeySetting = "SUPABASE_PUBLISHABLE_KEY" | "SUPABASE_SECRET_KEY";

/**
 * Sends a request to the Supabase at SUPABASE_URL, and logs what the owner should know of the answer.
 * A refusal without a code of a service comes from the gateway. It becomes 503, because it says nothing about
 * the account or the row. @throws {Error} that names the cause if there was no answer
 */
export async function sendToSupabase(request: Request, key: KeySetting): Promise<Response> {
  const answer = await fetchWhole(request);
  const { status } = answer;
  if (status < 400) {
    return answer;
  }
  const code = codeIn(await answer.clone().text());
  if (status === 429) {
    if (request.url.includes("/auth/v1/")) {
      // A second mail within the minute, or too many mails, keeps nobody from signing in.
      limitReached(code === "over_email_send_rate_limit" ? "supabase-mails" : "supabase-auth");
    }
    return answer;
  }
  if (code === "captcha_failed") {
    report(captcha);
  }
  if (code !== undefined) {
    return answer;
  }
  reportAnswer(String(status), key);
  return Response.json({ message: "The gateway refused" }, { status: 503 });
}

/** Logs an answer that is not one of the site's Supabase, and which settings to look at. */
export function reportAnswer(answer: string, key: KeySetting): void {
  report(`The server at SUPABASE_URL answers ${answer}: check SUPABASE_URL and ${key}`);
}

/**
 * The answer to a request with its whole body, so that a deadline also holds for that.
 * @throws {Error} that was logged if there is none
 */
export async function fetchWhole(request: Request, signal?: AbortSignal): Promise<Response> {
  try {
    const response = await fetch(request, signal && { signal });
    return new Response(response.body && (await response.arrayBuffer()), response);
  } catch (error) {
    const fault = `The server at SUPABASE_URL does not answer: ${reasonOf(error)}`;
    report(fault);
    throw new Error(fault, { cause: error });
  }
}

/** ECONNREFUSED and the like, which fetch has in the cause of its error. */
function reasonOf(error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? name;
}

const refusalSchema = z.object({ code: z.string() });

/** The code that GoTrue and PostgREST give each refusal; undefined in another answer. */
export const codeIn = (body: string): string | undefined =>
  refusalSchema.safeParse(jsonIn(body)).data?.code;

/** The value of a body of JSON; undefined for another body. */
export function jsonIn(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
