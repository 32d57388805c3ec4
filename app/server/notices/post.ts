import { type Agent, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import type { Sending } from "#app/lib/notices.ts";
import { isHandshakeFault } from "./notice.ts";

interface Post {
  target: URL;
  headers: Record<string, string | number>;
  body: string | Buffer;
  agent: Agent;
  signal: AbortSignal;
}

const patienceMs = 5_000;

/** Follows no redirect, reads no body, and waits five seconds. Returns the status. */
export function post({ target, headers, body, agent, signal }: Post): Promise<number> {
  const send = target.protocol === "http:" ? requestPlain : requestSecure;
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sent = send(target, {
    method: "POST",
    agent,
    signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
    headers: { ...headers, "Content-Length": Buffer.byteLength(body) },
  });
  sent.once("response", (response) => {
    response.on("error", () => undefined).destroy();
    resolve(response.statusCode ?? 0);
  });
  sent.on("error", reject).end(body);
  return promise;
}

export function sendingOfStatus(status: number): Sending {
  const reply = String(status);
  if (status >= 200 && status < 300) {
    return { outcome: "sent" };
  }
  if (status >= 300 && status < 400) {
    return { outcome: "refused", fault: "redirect", reply };
  }
  return status >= 500 || status === 408 || status === 425 || status === 429
    ? { outcome: "retry", fault: "later", reply }
    : { outcome: "refused", fault: "refused", reply };
}

const neverSent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

export function sendingOfError(error: unknown): Sending {
  const { name, code = "" } = error as NodeJS.ErrnoException;
  if (neverSent.has(code)) {
    return { outcome: "retry", fault: "unreachable" };
  }
  if (isHandshakeFault(code)) {
    return { outcome: "retry", fault: "certificate" };
  }
  return { outcome: "unknown", fault: name === "AbortError" ? "slow" : "unreachable" };
}
