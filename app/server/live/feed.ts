import { createClient } from "@supabase/supabase-js";
import { boardMessage } from "#app/models/inbox.server.ts";
import type { BoardMessage, InboxMessage } from "#app/models/inbox.ts";
import type { Backend } from "#app/site-contract.server.ts";
import type { LiveSession } from "./session.ts";

// Same as the official client's timeout of a join.
const startWithin = 10_000;

/** Where Realtime is. */
type Place = Pick<Backend, "url" | "publishableKey" | "realtimeTransport">;

interface FeedEvents {
  /** A new message; undefined if the list must be reloaded. */
  onChange(message: BoardMessage | undefined): void;
  /** The subscription was refused or lost. It is not retried: browsers reconnect. */
  onEnd(): void;
}

/** A Realtime subscription with a session's token, under row level security. */
export class Feed {
  readonly #client;
  readonly #events: FeedEvents;
  readonly #ready = Promise.withResolvers<boolean>();
  readonly #timer = setTimeout(() => this.end(), startWithin);
  #token: string;
  #isOver = false;

  constructor(backend: Place, { token }: LiveSession, events: FeedEvents) {
    this.#token = token;
    this.#events = events;
    this.#client = createClient(backend.url, backend.publishableKey, {
      accessToken: async () => this.#token,
      realtime: {
        ...(backend.realtimeTransport && { transport: backend.realtimeTransport }),
      },
    });
    void this.#listen();
  }

  /** Resolves with whether the subscription works. */
  get ready(): Promise<boolean> {
    return this.#ready.promise;
  }

  /** Uses a newer token of the same session. */
  renew({ token }: LiveSession): void {
    this.#token = token;
    void this.#client.realtime.setAuth();
  }

  end(): void {
    if (this.#isOver) {
      return;
    }
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#ready.resolve(false);
    void this.#client.realtime.disconnect();
    this.#events.onEnd();
  }

  async #listen() {
    // A join before this would have no token and receive no rows.
    await this.#client.realtime.setAuth();
    if (this.#isOver) {
      return;
    }
    const changes = { schema: "public", table: "contact_messages" };
    const reload = () => this.#events.onChange(undefined);
    this.#client
      .channel("contact_messages_changes")
      .on<InboxMessage>("postgres_changes", { ...changes, event: "INSERT" }, (change) => {
        // Realtime omits large values (`errors`).
        const isShown = !change.errors && change.new.spam_signs === null;
        this.#events.onChange(isShown ? boardMessage(change.new) : undefined);
      })
      // An update may move a message to another box.
      .on("postgres_changes", { ...changes, event: "UPDATE" }, reload)
      // Deletions are not published; each one updates the row of this table.
      .on("postgres_changes", { ...changes, table: "inbox_deletions", event: "UPDATE" }, reload)
      // "SUBSCRIBED" comes before changes are delivered; this message confirms that they are.
      .on("system", {}, ({ status }: { status: string }) => {
        if (status !== "ok") {
          return this.end();
        }
        clearTimeout(this.#timer);
        this.#ready.resolve(true);
      })
      .subscribe((status) => {
        if (status !== "SUBSCRIBED") {
          this.end();
        }
      });
  }
}
