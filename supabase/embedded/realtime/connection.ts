import { z } from "zod";
import type { Database } from "#embedded/database.ts";
import type { Keys } from "#embedded/keys.ts";
import type { Log } from "#embedded/log.ts";
import { schema, tables } from "./capture.ts";
import type { Feed } from "./feed.ts";
import { identityOfToken } from "./identity.ts";
import { decodeFrame, encodeFrame, type Message } from "./protocol.ts";
import { joinSchema, Subscription } from "./subscription.ts";

/** What the connections share. */
export interface Context {
  database: Database;
  keys: Keys;
  log: Log;
  feed: Feed;
  /** Those that the feed delivers to. */
  subscriptions: Set<Subscription>;
}

/** The client's end of a connection. */
export interface Client {
  deliver(frame: string): void;
  close(code: number, reason: string): void;
}

const tokenSchema = z.object({ access_token: z.string() });

/** A client's connection. It has one subscription at a time: the next join replaces it. */
export class Connection {
  readonly #context: Context;
  readonly #client: Client;
  #subscription: Subscription | undefined;
  #handled: Promise<unknown> = Promise.resolve();
  #isOpen = true;

  constructor(context: Context, client: Client) {
    this.#context = context;
    this.#client = client;
  }

  /** Handles a frame after all earlier ones. A frame that the site does not send closes it. */
  receive(frame: string): void {
    this.#handled = this.#handled
      .then(() => (this.#isOpen ? this.#handle(frame) : undefined))
      .catch((error: unknown) => {
        // Its message could contain a token or a row.
        const { name } = error as Error;
        this.#context.log.error("Realtime could not handle a frame", { error: name });
        this.close(1011, "internal error");
      });
  }

  close(code: number, reason: string): void {
    if (this.#isOpen) {
      this.#isOpen = false;
      this.#forget();
      this.#client.close(code, reason);
    }
  }

  async #handle(frame: string): Promise<void> {
    const { event, payload, ...message } = decodeFrame(frame);
    const current = this.#subscription?.hasSent(message) ? this.#subscription : undefined;
    if (event === "phx_join") {
      await this.#join(message, payload);
    } else if (event === "access_token") {
      await this.#renew(current, tokenSchema.parse(payload).access_token);
    } else {
      // A heartbeat or a leave.
      this.#reply(message, "ok", {});
      if (event === "phx_leave") {
        current?.close();
      }
    }
  }

  async #join(message: Message, payload: unknown): Promise<void> {
    this.#subscription?.close();
    const { access_token: token, config } = joinSchema.parse(payload);
    const { feed, subscriptions } = this.#context;
    const refuse = (reason: string) => this.#reply(message, "error", { reason });
    if (!feed.isActive()) {
      return refuse("UnableToConnectToProject: The database cannot be reached");
    }
    const identity = await identityOfToken(token, this.#context);
    if (typeof identity === "string") {
      return refuse(identity);
    }
    const arePublished = await this.#arePublished();
    if (!this.#isOpen) {
      return;
    }
    const bindings = config.postgres_changes.map((entry, index) => ({ ...entry, id: index + 1 }));
    const subscription = new Subscription(message, bindings, identity, {
      deliver: this.#client.deliver,
      onEnd: () => this.#forget(),
    });
    this.#subscription = subscription;
    // Every commit after the reply is delivered.
    if (arePublished) {
      subscriptions.add(subscription);
    }
    this.#reply(message, "ok", { postgres_changes: bindings });
    subscription.report(arePublished);
  }

  async #renew(subscription: Subscription | undefined, token: string): Promise<void> {
    const identity = await identityOfToken(token, this.#context);
    if (!subscription || this.#subscription !== subscription) {
      return;
    }
    if (typeof identity === "string") {
      return subscription.close(identity);
    }
    subscription.identity = identity;
  }

  /** Whether the changes of all tables are in the log. */
  async #arePublished(): Promise<boolean> {
    const found = await this.#context.database.authenticator`
      select from pg_publication_tables
      where pubname = 'supabase_realtime' and schemaname = ${schema}
        and tablename = any(${tables})`;
    return found.length === tables.length;
  }

  #reply(message: Message, status: "ok" | "error", response: object) {
    this.#client.deliver(encodeFrame(message, "phx_reply", { status, response }));
  }

  #forget() {
    if (this.#subscription) {
      this.#context.subscriptions.delete(this.#subscription);
      this.#subscription = undefined;
    }
  }
}
