import { untilAborted } from "#app/lib/until-aborted.ts";
import type { Site } from "./site-context.server.ts";

// In milliseconds.
const deadlines = { page: 5000, form: 10_000 };
const maxAgent = 256;

/** The calls of one request's Supabase clients: for the visitor, with one deadline for all. */
export class ServiceCalls {
  readonly headers: Record<string, string>;
  /** Whether a refresh got no response, a fault or a limit, which do not end a session. */
  isRefreshUnanswered = false;
  readonly #send: (request: Request) => Promise<Response>;
  readonly #timeoutMs: number;
  /** Begins with the first call. */
  #deadline: AbortSignal | undefined;

  constructor({ backend }: Site, request: Request, address: string) {
    // The list of devices shows the visitor's browser.
    this.headers = { "User-Agent": request.headers.get("User-Agent")?.slice(0, maxAgent) ?? "" };
    this.#send = (call) => backend.fetch(call, { address });
    this.#timeoutMs = request.method === "POST" ? deadlines.form : deadlines.page;
  }

  readonly fetch = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const deadline = (this.#deadline ??= AbortSignal.timeout(this.#timeoutMs));
    const own = init?.signal ?? deadline;
    const call = new Request(input, { ...init, signal: own });
    // A Request's own signal is lost if the Request is collected before it aborts.
    const answer = untilAborted(deadline, untilAborted(own, this.#send(call)));
    return isRefresh(call) ? this.#decideRefresh(answer) : answer;
  };

  // auth-js repeats a refresh without a response or with a fault for 30 s, and removes the session
  // after a limit. It does not repeat a 408.
  async #decideRefresh(pending: Promise<Response>): Promise<Response> {
    const answer = await pending.catch(() => undefined);
    if (answer && answer.status !== 429 && answer.status < 500) {
      return answer;
    }
    this.isRefreshUnanswered = true;
    return Response.json({ message: "The session was not renewed" }, { status: 408 });
  }
}

const isRefresh = ({ url }: Request) => url.includes("/auth/v1/token?grant_type=refresh_token");
