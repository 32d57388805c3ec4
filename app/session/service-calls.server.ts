import { siteAgent } from "#app/lib/device-name.ts";
import { untilAborted } from "#app/lib/until-aborted.ts";
import type { Site } from "#app/site-contract.server.ts";

const deadlinesMs = { page: 5000, form: 10_000 };
// An authentication that hangs must leave the database time for the page. The page goes on without an answer
// to these calls: who the account is, the keys of its token, a new token, the end of its session.
const quickMs = 2000;
const quick =
  /^GET .*\/auth\/v1\/(user$|\.well-known\/)|^POST .*\/auth\/v1\/(token\?grant_type=refresh_token|logout\?scope=local)$/;

/** The calls of one request's Supabase clients: the visitor's headers, one deadline for all. */
export class ServiceCalls {
  readonly headers: Record<string, string>;
  /** Whether a refresh failed for a reason that does not end the session. */
  isRefreshUnanswered = false;
  readonly #send: (request: Request) => Promise<Response>;
  readonly #timeoutMs: number;
  /** Aborted when a quick call was not answered, so that the next ones take no time. */
  readonly #isAway = new AbortController();
  /** Starts with the first call. */
  #deadline: AbortSignal | undefined;

  constructor({ backend }: Site, request: Request, address: string) {
    // The account page's list of devices shows the visitor's browser.
    this.headers = { "User-Agent": siteAgent(request.headers.get("User-Agent")) };
    this.#send = (call) => backend.fetch(call, { address });
    this.#timeoutMs = request.method === "POST" ? deadlinesMs.form : deadlinesMs.page;
  }

  readonly fetch = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const deadline = (this.#deadline ??= AbortSignal.timeout(this.#timeoutMs));
    const own = init?.signal ?? deadline;
    const call = new Request(input, { ...init, signal: own });
    const isQuick = quick.test(`${call.method} ${call.url}`);
    const soon = isQuick ? [AbortSignal.timeout(quickMs), this.#isAway.signal] : [];
    const signals = [deadline, own, ...soon];
    // A Request's own signal does not abort once the Request is garbage-collected.
    const answer = signals.reduce(
      (pending, signal) => untilAborted(signal, pending),
      this.#send(call),
    );
    if (isQuick) {
      answer.catch(() => this.#isAway.abort());
    }
    return isRefresh(call) ? this.#decideRefresh(answer) : answer;
  };

  // GoTrue refuses a token whose session has ended with 400 alone: 409 means that other refreshes are
  // under way, 422 that a hook failed. auth-js retries a refresh for 30 s without a response or after
  // a 5xx, and removes the session after any other refusal. It does not retry a 408.
  async #decideRefresh(pending: Promise<Response>): Promise<Response> {
    const answer = await pending.catch(() => undefined);
    if (answer?.ok || answer?.status === 400) {
      return answer;
    }
    this.isRefreshUnanswered = true;
    return Response.json({ message: "The session was not renewed" }, { status: 408 });
  }
}

const isRefresh = ({ url }: Request) => url.includes("/auth/v1/token?grant_type=refresh_token");
