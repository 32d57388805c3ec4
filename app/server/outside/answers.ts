import { limitReached, log } from "#app/lib/log.server.ts";

const captcha =
  "The Supabase at SUPABASE_URL asks for a captcha, which this site cannot show: turn it off (Authentication, Attack Protection), or nobody can sign in.";

const report = (fault: string) => log.often("error", fault);

interface Asked {
  request: Request;
  /** The setting whose key the request has. */
  key: "SUPABASE_PUBLISHABLE_KEY" | "SUPABASE_SECRET_KEY";
  signal?: AbortSignal;
}

/**
 * Sends a request to the Supabase at SUPABASE_URL, and logs what the owner should know of the answer.
 * A refusal without a code of a service comes from the gateway. It becomes 503, because it says nothing about
 * the account or the row. @throws {Error} that names the cause if there was no answer
 */
export async function answerOf({ request, key, signal }: Asked): Promise<Response> {
  const answer = await complete(request, signal);
  const { status } = answer;
  if (status === 429 && request.url.includes("/auth/v1/")) {
    limitReached("supabase-auth");
  }
  if (status < 400 || status === 429) {
    return answer;
  }
  const code = codeIn(await answer.clone().text());
  if (code === "captcha_failed") {
    report(captcha);
  }
  if (code !== undefined) {
    return answer;
  }
  report(
    status < 500
      ? `The server at SUPABASE_URL refuses the site with ${status}, but not in the way of Supabase's services: check SUPABASE_URL and ${key}`
      : unanswered(status),
  );
  return Response.json({ message: "The gateway refused" }, { status: 503 });
}

const unanswered = (reason: string | number) =>
  `The Supabase at SUPABASE_URL does not answer: ${reason}`;

/** The answer with its whole body, so that a deadline also holds for that. */
async function complete(request: Request, signal: AbortSignal | undefined): Promise<Response> {
  try {
    const response = await fetch(request, signal && { signal });
    return new Response(response.body && (await response.arrayBuffer()), response);
  } catch (error) {
    const fault = unanswered(reasonOf(error));
    report(fault);
    throw new Error(fault, { cause: error });
  }
}

/** ECONNREFUSED and the like, which fetch has in the cause of its error. */
function reasonOf(error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? name;
}

/** The code that GoTrue and PostgREST give each refusal; undefined in another answer. */
function codeIn(body: string): string | undefined {
  try {
    const error: unknown = JSON.parse(body);
    const code = typeof error === "object" && error !== null && "code" in error && error.code;
    return typeof code === "string" ? code : undefined;
  } catch {
    return undefined;
  }
}
