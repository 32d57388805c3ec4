import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { limitReached } from "#app/lib/log.server.ts";
import type { BoardMessage } from "#app/models/inbox.ts";
import type { Backend } from "#app/session/site-context.server.ts";
import { Feed } from "./feed.ts";
import { type LiveSession, mayListen } from "./session.ts";

// Below the 60 s after which nginx closes a connection as idle.
const beatMs = 25_000;
// A slower page connects again and reads the list.
const maxBufferedBytes = 1024 * 1024;

// Of setTimeout: a longer one, after the clock was set back, would end at once.
const longestTimer = 2 ** 31 - 1;
// RFC 6455, 7.4.1.
const goingAway = 1001;

/** The open tabs of one session. A frame is a message as JSON, or `null`: read the list again. */
export class SessionInbox {
  readonly #backend: Backend;
  readonly #address: string;
  readonly #onEnd: () => void;
  readonly #feed: Feed;
  readonly #beat = setInterval(() => this.#onBeat(), beatMs);
  readonly #sockets = new Set<WebSocket>();
  /** Sockets that have not answered the last ping. */
  readonly #silent = new Set<WebSocket>();
  #session: LiveSession;
  #expiry: NodeJS.Timeout | undefined;
  #isOver = false;
  /** Connections, also before their handshake. */
  #tabs = 0;

  constructor(backend: Backend, session: LiveSession, address: string, onEnd: () => void) {
    this.#backend = backend;
    this.#address = address;
    this.#onEnd = onEnd;
    this.#session = session;
    this.#feed = new Feed(backend, session, address, {
      onChange: (message) => this.#send(message),
      onEnd: () => this.end(),
    });
    this.#endInTime();
  }

  get tabs(): number {
    return this.#tabs;
  }

  /** Counts a connection until it closes, and returns whether changes flow. */
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
    clearInterval(this.#beat);
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

  #onBeat() {
    void this.#endIfClosed();
    for (const socket of this.#sockets) {
      if (this.#silent.has(socket)) {
        socket.terminate();
        continue;
      }
      this.#silent.add(socket);
      socket.ping();
      // Scripts do not see a ping.
      socket.send("");
    }
  }

  /** Row level security hides the rows at once; this closes the sockets. */
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
