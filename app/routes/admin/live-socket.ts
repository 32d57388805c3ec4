export type SocketState = "opening" | "live" | "missing";

interface Events {
  onState(state: SocketState): void;
  onFrame(frame: string): void;
}

// In milliseconds. A proxy or a firewall may drop the handshake.
const openWithin = 10_000;
// The server sends an empty frame every 25 s.
const maxSilence = 60_000;

/** The socket of an open board. It stays closed until `open` is called. */
export class LiveSocket {
  readonly #events: Events;
  #heardAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #leave: (() => void) | undefined;

  constructor(events: Events) {
    this.#events = events;
  }

  /**
   * Opens the socket, unless it is open. After the machine has slept, an open socket may be dead without an event.
   */
  open(): void {
    if (this.#leave && Date.now() - this.#heardAt < maxSilence) {
      return;
    }
    this.close();
    const url = new URL("/admin/live", location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = new WebSocket(url);
    const listening = new AbortController();
    this.#leave = () => {
      listening.abort();
      socket.close();
    };
    const onOpen = () => {
      this.#hear(maxSilence);
      this.#events.onState("live");
    };
    const onMessage = ({ data }: MessageEvent<string>) => {
      this.#hear(maxSilence);
      if (data !== "") {
        this.#events.onFrame(data);
      }
    };
    socket.addEventListener("open", onOpen, listening);
    socket.addEventListener("message", onMessage, listening);
    socket.addEventListener("close", () => this.#end(), listening);
    this.#events.onState("opening");
    this.#hear(openWithin);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#leave?.();
    this.#leave = undefined;
  }

  /** Ends the socket after this time, unless it is called again. */
  #hear(within: number) {
    this.#heardAt = Date.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(), within);
  }

  #end() {
    this.close();
    this.#events.onState("missing");
  }
}
