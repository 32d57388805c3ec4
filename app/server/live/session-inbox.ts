import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { limitReached } from "#app/lib/log.server.ts";
import { newMessage } from "#app/models/inbox.server.ts";
import type { BoardMessage } from "#app/models/inbox.ts";
import type { Absences, Backend, LiveSession } from "#app/site-contract.server.ts";

// nginx closes a connection that is idle for 60 s.
const heartbeatMs = 25_000;
// A page that reads more slowly is disconnected; it reconnects and reloads the list.
const maxBufferedBytes = 1024 * 1024;
// Pages renew a session in the last 90 s of its token (@supabase/auth-js).
const renewableMs = 60_000;
// RFC 6455, 7.4.1.
const goingAway = 1001;

export interface LiveSite {
  backend: Pick<Backend, "listen">;
  absences: Pick<Absences, "list">;
}

/** The open tabs of one session. A frame is a message as JSON, or `null`: reload the list. */
export class SessionInbox {
  readonly #session: LiveSession;
  readonly #onEnd: () => void;
  readonly #stopListening: Promise<() => void>;
  readonly #heartbeat = setInterval(() => this.#onHeartbeat(), heartbeatMs);
  readonly #sockets = new Set<WebSocket>();
  /** Sockets that have not answered the last ping. */
  readonly #silent = new Set<WebSocket>();
  #isOver = false;
  /** The number of connections, including those before their handshake. */
  #tabs = 0;

  constructor({ backend, absences }: LiveSite, session: LiveSession, onEnd: () => void) {
    this.#session = session;
    this.#onEnd = onEnd;
    this.#stopListening = backend.listen(session.token, {
      onInsert: (row) => this.#send(newMessage(row, absences.list)),
      onChange: () => this.readAgain(),
      onEnd: () => this.end(),
    });
  }

  /** Counts a connection until it closes. Returns whether changes arrive. */
  async join(connection: Duplex): Promise<boolean> {
    this.#tabs += 1;
    connection.once("close", () => {
      this.#tabs -= 1;
      if (this.#tabs === 0) {
        this.end();
      }
    });
    await this.#stopListening.catch(() => this.end());
    return !this.#isOver;
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

  /** Has its boards read the inbox again. */
  readAgain(): void {
    this.#send(undefined);
  }

  end(): void {
    if (this.#isOver) {
      return;
    }
    this.#isOver = true;
    clearInterval(this.#heartbeat);
    this.#onEnd();
    for (const socket of this.#sockets) {
      socket.close(goingAway);
    }
    void this.#stopListening.then(
      (stop) => stop(),
      () => undefined,
    );
  }

  #onHeartbeat() {
    void this.#endIfOver();
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

  /**
   * Closes the sockets of a session that has ended or lost its right, which already reads nothing, or
   * that the next handshake renews.
   */
  async #endIfOver() {
    const { expiresAt, mayRead } = this.#session;
    // A database that does not answer has nothing new either.
    if (expiresAt - Date.now() < renewableMs || !(await mayRead().catch(() => true))) {
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
