import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { limitReached, logFault } from "#app/lib/log.server.ts";
import { addressKey } from "#app/server/http/address.ts";
import { isOwn } from "#app/server/http/own-page.ts";
import type { LiveSession, Site } from "#app/site-contract.server.ts";
import type { SiteHandler } from "#app/site.ts";
import { type LiveSite, SessionInbox } from "./session-inbox.ts";

export const livePath = "/admin/live";

// All readers in one office may share an address.
const limits = { sockets: 2000, perAddress: 100 };
const socketOptions = {
  noServer: true,
  // It is small, because pages send only control frames.
  maxPayload: 125,
  autoPong: false,
  // In milliseconds. @types/ws does not have it yet.
  closeTimeout: 1000,
};

interface Parts {
  site: Pick<Site, "url"> & LiveSite;
  /** Answers as it does for a page. The route of `livePath` admits the session. */
  respond: SiteHandler["respond"];
  clientAddress(request: IncomingMessage): string;
}

/** Serves the WebSockets of open boards. Pages send no data. */
export class LiveInbox {
  readonly #parts: Parts;
  readonly #inboxes = new Map<string, SessionInbox>();
  /** The key of the address of each open connection. */
  readonly #addresses = new Map<Duplex, string>();
  readonly #server = new WebSocketServer(socketOptions);
  /** The Set-Cookie headers of handshakes. */
  readonly #cookies = new WeakMap<IncomingMessage, string[]>();
  #isClosing = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#server.on("headers", (headers, request) => {
      headers.push(...cookieLines(this.#cookies.get(request)));
    });
  }

  /** Accepts a WebSocket, or refuses it with an HTTP status. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // "close" follows every "error".
    socket.on("error", () => undefined);
    const address = this.#parts.clientAddress(request);
    if (!isOwn(request, this.#parts.site.url)) {
      return refuse(socket, 403);
    }
    if (this.#isClosing) {
      return refuse(socket, 503);
    }
    if (!this.#count(addressKey(address), socket)) {
      return refuse(socket, 429);
    }
    this.#open(request, socket, head, address).catch((error: unknown) => {
      logFault("A socket failed", error);
      refuse(socket, 500);
    });
  }

  /** Has all open boards read the inbox again. */
  readAgain(): void {
    for (const inbox of this.#inboxes.values()) {
      inbox.readAgain();
    }
  }

  /** Closes all sockets, within `closeTimeout`. Their pages reconnect. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const inbox of this.#inboxes.values()) {
      inbox.end();
    }
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Counts a connection until it closes. Returns false if there are too many. */
  #count(key: string, socket: Duplex): boolean {
    if (this.#addresses.size >= limits.sockets) {
      limitReached("liveSockets");
      return false;
    }
    const ofAddress = Array.from(this.#addresses.values()).filter((other) => other === key);
    if (ofAddress.length >= limits.perAddress) {
      limitReached("liveSocketsOfAddress");
      return false;
    }
    this.#addresses.set(socket, key);
    socket.once("close", () => this.#addresses.delete(socket));
    return true;
  }

  async #open(request: IncomingMessage, socket: Duplex, head: Buffer, address: string) {
    const { session, status, cookies } = await this.#ask(request, address);
    if (!session) {
      return refuse(socket, status, cookies);
    }
    if (this.#isClosing || socket.destroyed) {
      return refuse(socket, 503, cookies);
    }
    const inbox = this.#inboxes.get(session.id) ?? this.#openInbox(session);
    if (!(await inbox.join(socket))) {
      return refuse(socket, 503, cookies);
    }
    this.#cookies.set(request, cookies);
    this.#server.handleUpgrade(request, socket, head, (webSocket) => inbox.add(webSocket));
  }

  /** Asks for the page behind the socket, which renews the session or refuses it. */
  async #ask(
    { headers: { cookie = "", "user-agent": agent = "" } }: IncomingMessage,
    address: string,
  ) {
    const { site, respond } = this.#parts;
    let session: LiveSession | undefined;
    const headers = { Cookie: cookie, "User-Agent": agent };
    const response = await respond(new Request(new URL(livePath, site.url), { headers }), {
      address,
      admit: (admitted) => (session = admitted),
    });
    // An account without its second factor is led to the code.
    const status = response.status < 400 ? 401 : response.status;
    return { session, status, cookies: response.headers.getSetCookie() };
  }

  #openInbox(session: LiveSession): SessionInbox {
    const inbox = new SessionInbox(this.#parts.site, session, () =>
      this.#inboxes.delete(session.id),
    );
    this.#inboxes.set(session.id, inbox);
    return inbox;
  }
}

const cookieLines = (cookies: string[] = []) => cookies.map((cookie) => `Set-Cookie: ${cookie}`);

function refuse(socket: Duplex, status: number, cookies?: string[]): void {
  socket.once("finish", () => socket.destroy());
  const head = [`HTTP/1.1 ${status}`, "Connection: close", "Content-Length: 0"];
  socket.end(`${[...head, ...cookieLines(cookies)].join("\r\n")}\r\n\r\n`);
}
