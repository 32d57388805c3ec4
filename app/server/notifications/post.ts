import { type Agent, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import type { SendResult } from "#app/site-contract.server.ts";
import { isHandshakeFault } from "./notification.ts";

interface Post {
  target: URL;
  headers: Record<string, string | number>;
  body: string | Buffer;
  agent: Agent;
  signal: AbortSignal;
}

const timeoutMs = 5_000;

/** Returns the status. Follows no redirect, reads no body, rejects after five seconds. */
export function post({ target, headers, body, agent, signal }: Post): Promise<number> {
  const send = target.protocol === "http:" ? requestPlain : requestSecure;
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sent = send(target, {
    method: "POST",
    agent,
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    headers: { ...headers, "Content-Length": Buffer.byteLength(body) },
  });
  sent.once("response", (response) => {
    response.on("error", () => undefined).destroy();
    resolve(response.statusCode ?? 0);
  });
  sent.on("error", reject).end(body);
  return promise;
}

export function resultOfStatus(status: number): SendResult {
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

export function resultOfError(error: unknown): SendResult {
  const { name, code = "" } = error as NodeJS.ErrnoException;
  if (neverSent.has(code)) {
    return { outcome: "retry", fault: "unreachable" };
  }
  if (isHandshakeFault(code)) {
    return { outcome: "retry", fault: "certificate" };
  }
  return { outcome: "unknown", fault: name === "AbortError" ? "slow" : "unreachable" };
}
