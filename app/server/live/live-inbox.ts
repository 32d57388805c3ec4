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
const checkEveryMs = 3000;
// A busy machine answers late once or twice.
const mostSilences = 3;

type LiveSite = Pick<Site, "backend" | "url" | "secure">;

/** Serves the WebSockets of open boards, authenticated by the session's cookie. Pages send no data. */
export class LiveInbox {
  readonly #site: LiveSite;
  readonly #clientAddress: (request: IncomingMessage) => string;
  readonly #cookieName: string;
  readonly #inboxes = new Map<string, SessionInbox>();
  /** The network of each open connection. */
  readonly #networks = new Map<Duplex, string>();
  // Small: pages send control frames only.
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: 125, autoPong: false });
  readonly #watch = setInterval(() => void this.#endIfAway(), checkEveryMs);
  /** How many checks in a row the database did not answer. */
  #silences = 0;
  #isClosing = false;

  constructor(site: LiveSite, clientAddress: (request: IncomingMessage) => string) {
    this.#site = site;
    this.#clientAddress = clientAddress;
    this.#cookieName = cookieNames(site.secure).session;
  }

  /** Accepts a WebSocket, or refuses it with an HTTP status. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // "close" follows every "error".
    socket.on("error", () => undefined);
    if (!isOwnSocket(request, this.#site.url)) {
      return refuse(socket, 403);
    }
    if (this.#isClosing) {
      return refuse(socket, 503);
    }
    if (!this.#count(addressKey(this.#clientAddress(request)), socket)) {
      return refuse(socket, 429);
    }
    this.#open(request, socket, head).then(
      (status) => status !== undefined && refuse(socket, status),
      (error: unknown) => {
        logFault("A socket failed", error);
        refuse(socket, 500);
      },
    );
  }

  /** Closes all sockets. Their pages reconnect. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#watch);
    this.#endAll();
    const deadline = performance.now() + closeTimeoutMs;
    while (this.#server.clients.size > 0 && performance.now() < deadline) {
      await sleep(10);
    }
    for (const webSocket of this.#server.clients) {
      webSocket.terminate();
    }
  }

  #endAll() {
    for (const inbox of this.#inboxes.values()) {
      inbox.end();
    }
  }

  /** A database that hangs sends nothing: boards must not call themselves live then. */
  async #endIfAway() {
    if (this.#inboxes.size === 0) {
      return;
    }
    const { database } = await this.#site.backend.health();
    this.#silences = database ? 0 : this.#silences + 1;
    if (this.#silences === mostSilences) {
      this.#endAll();
    }
  }

  /** Counts a connection until it closes. Returns false if there are too many. */
  #count(network: string, socket: Duplex): boolean {
    if (this.#networks.size >= limits.sockets) {
      limitReached("liveSockets");
      return false;
    }
    const ofNetwork = Array.from(this.#networks.values()).filter((other) => other === network);
    if (ofNetwork.length >= limits.perNetwork) {
      limitReached("liveSocketsOfAddress");
      return false;
    }
    this.#networks.set(socket, network);
    socket.once("close", () => this.#networks.delete(socket));
    return true;
  }

  /** @returns the HTTP status of a refusal, or undefined when the WebSocket is open */
  async #open(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<number | undefined> {
    const address = this.#clientAddress(request);
    const session = await sessionOfCookie(this.#cookieName, request.headers.cookie ?? "");
    if (!session) {
      return 401;
    }
    const may = await mayListen(this.#site.backend, session, address);
    if (may !== true) {
      return may === false ? 403 : 503;
    }
    if (this.#isClosing || socket.destroyed) {
      return 503;
    }
    const inbox = this.#inboxes.get(session.id) ?? this.#openInbox(session, address);
    if (inbox.tabs >= limits.perSession) {
      limitReached("liveSocketsOfSession");
      return 429;
    }
    if (!(await inbox.join(session, socket))) {
      return 503;
    }
    this.#server.handleUpgrade(request, socket, head, (webSocket) => inbox.add(webSocket));
    return undefined;
  }

  #openInbox(session: LiveSession, address: string): SessionInbox {
    const inbox = new SessionInbox(this.#site.backend, session, address, () =>
      this.#inboxes.delete(session.id),
    );
    this.#inboxes.set(session.id, inbox);
    return inbox;
  }
}

function refuse(socket: Duplex, status: number): void {
  socket.once("finish", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
