import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocketServer } from "ws";
import { limitReached, logFault } from "#app/lib/log.server.ts";
import { isOwnSocket } from "#app/server/http/csrf.ts";
import { cookieNames } from "#app/session/cookie-names.server.ts";
import type { Site } from "#app/site-contract.server.ts";
import { addressKey } from "#supabase/shared/address.ts";
import { SessionInbox } from "./session-inbox.ts";
import { type LiveSession, mayListen, sessionOfCookie } from "./session.ts";

export const livePath = "/admin/live";

// The readers of an office may share one address.
const limits = { sockets: 2000, perNetwork: 100, perSession: 100 };
const closeTimeoutMs = 1000;

export interface LiveInbox {
  /** Accepts a WebSocket, or refuses it with an HTTP status. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes all sockets. Their pages reconnect. */
  close(): Promise<void>;
}

/** Serves the WebSockets of open boards, authenticated by the session's cookie. Pages send no data. */
export function openLiveInbox(
  { backend, url, secure }: Omit<Site, "notifications">,
  clientAddress: (request: IncomingMessage) => string,
): LiveInbox {
  const { session: cookieName } = cookieNames(secure);
  const inboxes = new Map<string, SessionInbox>();
  const perNetwork = new Map<string, number>();
  /** Pending checks by token: after a restart all tabs of a session reconnect at once. */
  const asked = new Map<string, Promise<boolean | undefined>>();
  // Small: pages send control frames only.
  const server = new WebSocketServer({ noServer: true, maxPayload: 125, autoPong: false });
  let reserved = 0;
  let isClosing = false;

  /** Counts a connection until it closes. Returns false if there are too many. */
  function reserve(network: string, socket: Duplex): boolean {
    const here = perNetwork.get(network) ?? 0;
    if (reserved >= limits.sockets || here >= limits.perNetwork) {
      limitReached(reserved >= limits.sockets ? "liveSockets" : "liveSocketsOfAddress");
      return false;
    }
    reserved += 1;
    perNetwork.set(network, here + 1);
    socket.once("close", () => {
      reserved -= 1;
      const left = (perNetwork.get(network) ?? 1) - 1;
      if (left > 0) {
        perNetwork.set(network, left);
      } else {
        perNetwork.delete(network);
      }
    });
    return true;
  }

  function ask(session: LiveSession, address: string): Promise<boolean | undefined> {
    const pending = asked.get(session.token);
    if (pending) {
      return pending;
    }
    const answer = mayListen(backend, session, address).finally(() => asked.delete(session.token));
    asked.set(session.token, answer);
    return answer;
  }

  function openInbox(session: LiveSession, address: string): SessionInbox {
    const inbox = new SessionInbox(backend, session, address, () => inboxes.delete(session.id));
    inboxes.set(session.id, inbox);
    return inbox;
  }

  /** @returns the HTTP status of a refusal, or undefined when the WebSocket is open */
  async function open(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): Promise<number | undefined> {
    const address = clientAddress(request);
    const session = await sessionOfCookie(cookieName, request.headers.cookie ?? "");
    if (!session) {
      return 401;
    }
    const may = await ask(session, address);
    if (may !== true) {
      return may === false ? 403 : 503;
    }
    if (isClosing || socket.destroyed) {
      return 503;
    }
    const inbox = inboxes.get(session.id) ?? openInbox(session, address);
    if (inbox.tabs >= limits.perSession) {
      limitReached("liveSocketsOfSession");
      return 429;
    }
    if (!(await inbox.join(session, socket))) {
      return 503;
    }
    server.handleUpgrade(request, socket, head, (webSocket) => inbox.add(webSocket));
    return undefined;
  }

  return {
    upgrade(request, socket, head) {
      // "close" follows every "error".
      socket.on("error", () => undefined);
      if (!isOwnSocket(request, url)) {
        return refuse(socket, 403);
      }
      if (isClosing) {
        return refuse(socket, 503);
      }
      if (!reserve(addressKey(clientAddress(request)), socket)) {
        return refuse(socket, 429);
      }
      open(request, socket, head).then(
        (status) => status !== undefined && refuse(socket, status),
        (error: unknown) => {
          logFault("A socket failed", error);
          refuse(socket, 500);
        },
      );
    },
    async close() {
      isClosing = true;
      for (const inbox of inboxes.values()) {
        inbox.end();
      }
      const deadline = performance.now() + closeTimeoutMs;
      while (server.clients.size > 0 && performance.now() < deadline) {
        await sleep(10);
      }
      for (const webSocket of server.clients) {
        webSocket.terminate();
      }
    },
  };
}

function refuse(socket: Duplex, status: number): void {
  socket.once("finish", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
