import type { InboxMessage } from "#app/models/inbox.ts";

export type LiveState = "opening" | "live" | "waiting";

interface LiveEvents {
  /** At each change but to `opening` the list must be read: messages may have been missed. */
  onState(state: LiveState): void;
  /** A message that came; undefined if what changed is for the loader to read. */
  onChange(message: InboxMessage | undefined): void;
}

// A proxy or a firewall may swallow the handshake.
const openWithin = 10_000;
// The server says every 25 s that the connection lives.
const silence = 60_000;
const firstDelay = 1000;
// With the time to open, the list is read every 30 s at least.
const longestDelay = 20_000;
const steadyAfter = 10_000;

/**
 * The board's socket, which the session cookie opens. It brings messages, sends nothing, and
 * connects again until it is closed. The reason for a break is not looked at: the loader, which
 * is read before the next try, renews the session or leads to the sign-in page.
 */
export class LiveSocket {
  readonly #events: LiveEvents;
  #state: LiveState = "opening";
  #leave = () => {};
  /** Ends the state when it has lasted too long. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #liveSince = 0;
  #heardAt = 0;
  #failures = 0;

  constructor(events: LiveEvents) {
    this.#events = events;
    this.#open();
  }

  /** Tries at once, also if the connection may have died in the machine's sleep. */
  wake(): void {
    const isSilent = Date.now() - this.#heardAt > silence;
    if (this.#state === "waiting" || (this.#state === "live" && isSilent)) {
      this.#open();
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#leave();
  }

  #open() {
    this.#leave();
    const url = new URL("/admin/live", location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = new WebSocket(url);
    const listening = new AbortController();
    this.#leave = () => {
      listening.abort();
      socket.close();
    };
    const onOpen = () => {
      this.#liveSince = Date.now();
      this.#hear();
    };
    const onMessage = ({ data }: MessageEvent<string>) => {
      this.#hear();
      if (data !== "") {
        this.#events.onChange((JSON.parse(data) as InboxMessage | null) ?? undefined);
      }
    };
    socket.addEventListener("open", onOpen, listening);
    socket.addEventListener("message", onMessage, listening);
    socket.addEventListener("close", () => this.#wait(), listening);
    this.#enter("opening", openWithin, () => this.#wait());
  }

  #hear() {
    this.#heardAt = Date.now();
    this.#enter("live", silence, () => this.#wait());
  }

  #wait() {
    this.#leave();
    if (this.#state === "live" && Date.now() - this.#liveSince > steadyAfter) {
      this.#failures = 0;
    }
    const delay = Math.min(firstDelay * 2 ** this.#failures, longestDelay);
    this.#failures += 1;
    // Many boards that lost their server at once do not come back at once.
    this.#enter("waiting", delay * (1 - Math.random() / 2), () => this.#open());
  }

  #enter(state: LiveState, within: number, then: () => void) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(then, within);
    if (state !== this.#state) {
      this.#state = state;
      this.#events.onState(state);
    }
  }
}
