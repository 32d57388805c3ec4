/** What one server, address, socket and channel may use; section 9 of the realtime contract. */
export interface RealtimeLimits {
  sockets: number;
  /** Many readers may share the address of one office. */
  socketsPerAddress: number;
  channelsPerSocket: number;
  bindingsPerChannel: number;
  /** Each batch of changes is compared with the filters of all sockets. */
  filtersPerSocket: number;
  /** The values in them, together. */
  filterCharactersPerSocket: number;
  joinsPerSecond: number;
  framesPerSecond: number;
  /** Frames of one socket that have come and not been handled yet. */
  framesWaiting: number;
  /** Bytes of one frame from a client. */
  frameBytes: number;
  /** Bytes that may wait for a slow reader before its socket is cut. */
  sendBufferBytes: number;
  /** A socket that says nothing for so long is closed. */
  silenceMs: number;
  /** How often the sign-in sessions behind the tokens are looked up. */
  sessionCheckMs: number;
}

export const defaultRealtimeLimits: RealtimeLimits = {
  sockets: 1_000,
  socketsPerAddress: 100,
  channelsPerSocket: 20,
  bindingsPerChannel: 50,
  filtersPerSocket: 50,
  filterCharactersPerSocket: 4_000,
  joinsPerSecond: 10,
  framesPerSecond: 100,
  framesWaiting: 50,
  frameBytes: 64 * 1024,
  sendBufferBytes: 4 * 1024 * 1024,
  silenceMs: 60_000,
  sessionCheckMs: 30_000,
};
