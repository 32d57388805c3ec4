import { lookup } from "node:dns";
import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { newMessagesText, type Sending } from "#app/lib/notices.ts";
import { isHandshakeFault, type Notice, type Send } from "./notice.ts";

interface WebhookWay {
  /** https, or http to this machine (settings.ts). */
  target: URL;
  site: URL;
  /** Whether the text quotes the newest message: a topic of ntfy is open to who guesses it. */
  hasBody: boolean;
}

const patienceMs = 5_000;
const longestQuote = 300;

export function webhookWay({ target, site, hasBody }: WebhookWay): Send {
  const url = new URL("/admin", site).href;
  return async (notice, signal) => {
    const body = JSON.stringify({ text: textOf(notice, hasBody), url });
    const ends = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    try {
      return sendingOfStatus(await post(target, body, notice.id, ends));
    } catch (error) {
      return sendingOfError(error);
    }
  };
}

function textOf({ messages, newest: [first] }: Notice, hasBody: boolean): string {
  if (messages === 0) {
    return "تنبيه تجريبي من موقعك";
  }
  const told = `${newMessagesText(messages)} من موقعك`;
  return hasBody && first
    ? `${told}\n${first.name}: ${first.message.slice(0, longestQuote).toWellFormed()}`
    : told;
}

/** Follows no redirect and reads no body. Returns the status. */
function post(target: URL, body: string, id: string, signal: AbortSignal): Promise<number> {
  const isPlain = target.protocol === "http:";
  const send = isPlain ? requestPlain : requestSecure;
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sent = send(target, {
    method: "POST",
    agent: false,
    signal,
    headers: {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
      "Idempotency-Key": id,
    },
    ...(isPlain && { lookup: loopbackOnly }),
  });
  sent.once("response", (response) => {
    response.on("error", () => undefined).destroy();
    resolve(response.statusCode ?? 0);
  });
  sent.on("error", reject).end(body);
  return promise;
}

/** Whatever "localhost" means to the machine's resolver, nothing leaves the machine unencrypted. */
const loopbackOnly: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    const own = (found ?? []).filter(
      ({ address }) => ipaddr.process(address).range() === "loopback",
    );
    const [first] = own;
    if (error || first === undefined) {
      done(error ?? Object.assign(new Error("Not this machine"), { code: "ENOTFOUND" }), "");
    } else if (options.all) {
      done(null, own);
    } else {
      done(null, first.address, first.family);
    }
  });
};

function sendingOfStatus(status: number): Sending {
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

function sendingOfError(error: unknown): Sending {
  const { name, code = "" } = error as NodeJS.ErrnoException;
  if (neverSent.has(code)) {
    return { outcome: "retry", fault: "unreachable" };
  }
  if (isHandshakeFault(code)) {
    return { outcome: "retry", fault: "certificate" };
  }
  return { outcome: "unknown", fault: name === "AbortError" ? "slow" : "unreachable" };
}
