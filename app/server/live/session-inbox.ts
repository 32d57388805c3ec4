import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { limitReached } from "#app/lib/log.server.ts";
import type { BoardMessage } from "#app/models/inbox.ts";
import type { Backend } from "#app/site-contract.server.ts";
import { Feed } from "./feed.ts";
import { type LiveSession, mayListen } from "./session.ts";

// nginx closes a connection that is idle for 60 s.
const heartbeatMs = 25_000;
// A page that reads more slowly is disconnected; it reconnects and reloads the list.
const maxBufferedBytes = 1024 * 1024;

// The maximum of setTimeout. A longer one would fire at once: the clock may be set back.
const longestTimer = 2 ** 31 - 1;
// RFC 6455, 7.4.1.
const goingAway = 1001;

/** The open tabs of one session. A frame is a message as JSON, or `null`: reload the list. */
export class SessionInbox {
  readonly #backend: Backend;
  readonly #address: string;
  readonly #onEnd: () => void;
  readonly #feed: Feed;
  readonly #heartbeat = setInterval(() => this.#onHeartbeat(), heartbeatMs);
  readonly #sockets = new Set<WebSocket>();
  /** Sockets that have not answered the last ping. */
  readonly #silent = new Set<WebSocket>();
  #session: LiveSession;
  #expiry: NodeJS.Timeout | undefined;
  #isOver = false;
  /** The number of connections, including those before their handshake. */
  #tabs = 0;

  constructor(backend: Backend, session: LiveSession, address: string, onEnd: () => void) {
    this.#backend = backend;
    this.#address = address;
    this.#onEnd = onEnd;
    this.#session = session;
    this.#feed = new Feed(backend, session, {
      onChange: (message) => this.#send(message),
      onEnd: () => this.end(),
    });
    this.#endInTime();
  }

  get tabs(): number {
    return this.#tabs;
  }

  /** Counts a connection until it closes. Returns whether the subscription works. */
  async join(session: LiveSession, connection: Duplex): Promise<boolean> {
    this.#tabs += 1;
    connection.once("close", () => {
      this.#tabs -= 1;
      if (this.#tabs === 0) {
        this.end();
      }
    });
    if (session.expiresAt > this.#session.expiresAt) {
      this.#session = session;
      this.#feed.renew(session);
      this.#endInTime();
    }
    return (await this.#feed.ready) && !this.#isOver;
  }

  add(socket: WebSocket): void {
    this.#sockets.add(socket);
    const cut = () => socket.terminate();
    socket.on("message", cut).on("ping", cut).on("error", cut);
    socket.on("pong", () => this.#silent.delete(socket));
    socket.on("close", () => {
      this.#sockets.delete(socket);
      this.#silent.delete(socket);
    });
  }

  end(): void {
    if (this.#isOver) {
      return;
    }
    this.#isOver = true;
    clearInterval(this.#heartbeat);
    clearTimeout(this.#expiry);
    this.#onEnd();
    for (const socket of this.#sockets) {
      socket.close(goingAway);
    }
    this.#feed.end();
  }

  #endInTime() {
    clearTimeout(this.#expiry);
    const left = this.#session.expiresAt - Date.now();
    this.#expiry = setTimeout(() => this.end(), Math.min(left, longestTimer)).unref();
  }

  #onHeartbeat() {
    void this.#endIfClosed();
    for (const socket of this.#sockets) {
      if (this.#silent.has(socket)) {
        socket.terminate();
        continue;
      }
      this.#silent.add(socket);
      socket.ping();
      // Scripts cannot see pings, so an empty frame shows that the connection lives.
      socket.send("");
    }
  }

  /** Closes the sockets of an ended session. Row level security has already stopped its rows. */
  async #endIfClosed() {
    if ((await mayListen(this.#backend, this.#session, this.#address)) === false) {
      this.end();
    }
  }

  #send(message: BoardMessage | undefined) {
    const frame = Buffer.from(JSON.stringify(message ?? null));
    for (const socket of this.#sockets) {
      if (socket.bufferedAmount > maxBufferedBytes) {
        limitReached("liveUnread");
        socket.terminate();
      } else {
        socket.send(frame, { binary: false });
      }
    }
  }
}
