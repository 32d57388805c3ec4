import type { BoardMessage } from "#app/models/inbox.ts";

type LiveState = "opening" | "live" | "waiting";

interface LiveEvents {
  /** In all states except `opening`, messages may have been missed: reload the list. */
  onState(state: LiveState): void;
  /** A new message; undefined if the list must be reloaded instead. */
  onChange(message: BoardMessage | undefined): void;
}

// In milliseconds. A proxy or a firewall may drop the handshake.
const openWithin = 10_000;
// The server sends an empty frame every 25 s.
const maxSilence = 60_000;
const firstDelay = 1000;
// Together with `openWithin`: the list is reloaded at least every 30 s.
const longestDelay = 20_000;
const steadyAfter = 10_000;

/** Reconnects until it is closed. Each retry follows a reload of the list, which renews the session. */
export class LiveSocket {
  readonly #events: LiveEvents;
  #state: LiveState = "opening";
  #leave = () => {};
  /** The timeout of the current state. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #liveSince = 0;
  #heardAt = 0;
  #failures = 0;

  constructor(events: LiveEvents) {
    this.#events = events;
    this.#open();
  }

  /** Reconnects at once if it is waiting, or was silent for too long: the machine may have slept. */
  wake(): void {
    // A try that has begun may still fail. The next one follows soon.
    this.#failures = 0;
    const isSilent = Date.now() - this.#heardAt > maxSilence;
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
        this.#events.onChange((JSON.parse(data) as BoardMessage | null) ?? undefined);
      }
    };
    socket.addEventListener("open", onOpen, listening);
    socket.addEventListener("message", onMessage, listening);
    socket.addEventListener("close", () => this.#wait(), listening);
    this.#enter("opening", openWithin, () => this.#wait());
  }

  #hear() {
    this.#heardAt = Date.now();
    this.#enter("live", maxSilence, () => this.#wait());
  }

  #wait() {
    this.#leave();
    if (this.#state === "live" && Date.now() - this.#liveSince > steadyAfter) {
      this.#failures = 0;
    }
    const delay = Math.min(firstDelay * 2 ** this.#failures, longestDelay);
    this.#failures += 1;
    // Boards that lost their server at the same time reconnect at different times.
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
