import type { RealtimeClientOptions } from "@supabase/supabase-js";
import type { Client, Connection } from "./connection.ts";

/** The `transport` of a supabase-js client's Realtime. */
export type Transport = NonNullable<RealtimeClientOptions["transport"]>;

/**
 * Returns a class that looks like a WebSocket to @supabase/realtime-js and whose other end is a
 * connection in this process. As on a network, every event comes after the call that caused it.
 */
export function transportTo(accept: (client: Client) => Connection): Transport {
  return class InProcessSocket extends EventTarget {
    readonly CONNECTING = 0;
    readonly OPEN = 1;
    readonly CLOSING = 2;
    readonly CLOSED = 3;
    readonly url: string;
    readonly protocol = "";
    readyState: number = this.CONNECTING;
    onopen: ((event: Event) => unknown) | null = null;
    onmessage: ((event: MessageEvent<string>) => unknown) | null = null;
    onerror: ((event: Event) => unknown) | null = null;
    onclose: ((event: CloseEvent) => unknown) | null = null;
    readonly #connection;

    constructor(url: string | URL) {
      super();
      this.url = String(url);
      this.addEventListener("open", (event) => this.onopen?.(event));
      this.addEventListener("message", (event) => this.onmessage?.(event as MessageEvent));
      this.addEventListener("close", (event) => this.onclose?.(event as CloseEvent));
      setImmediate(() => {
        if (this.readyState === this.CONNECTING) {
          this.readyState = this.OPEN;
          this.dispatchEvent(new Event("open"));
        }
      });
      this.#connection = accept({
        deliver: (data) => void setImmediate(() => this.#deliver(data)),
        // After the frames that were sent before.
        close: (code, reason) => void setImmediate(() => this.#end(code, reason)),
      });
    }

    send(frame: string): void {
      if (this.readyState !== this.OPEN) {
        throw new DOMException("The socket is not open", "InvalidStateError");
      }
      this.#connection.receive(frame);
    }

    close(code = 1000, reason = ""): void {
      this.#connection.close(code, reason);
    }

    #deliver(data: string) {
      if (this.readyState === this.OPEN) {
        this.dispatchEvent(new MessageEvent("message", { data }));
      }
    }

    #end(code: number, reason: string) {
      this.readyState = this.CLOSED;
      this.dispatchEvent(new CloseEvent("close", { code, reason, wasClean: true }));
    }
  };
}
