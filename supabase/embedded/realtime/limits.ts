/** Default limits (CONTRACT.md, "Limits"). */
export const defaultRealtimeLimits = {
  sockets: 1_000,
  // All readers in an office share one address.
  socketsPerAddress: 100,
  // An IPv6 /48.
  socketsPerNetwork: 300,
  channelsPerSocket: 20,
  bindingsPerChannel: 50,
  // Every batch of changes is compared with every filter.
  filtersPerSocket: 50,
  filterCharactersPerSocket: 4_000,
  joinsPerSecond: 10,
  framesPerSecond: 100,
  framesWaiting: 50,
  sendBufferBytes: 4 * 1024 * 1024,
  silenceMs: 60_000,
  sessionCheckMs: 30_000,
};
export type RealtimeLimits = typeof defaultRealtimeLimits;

export const maxFrameBytes = 64 * 1024;
export const maxFrameDepth = 32;

/** Returns a function that counts an event and returns false above `most` per second. */
export function createRateLimit(most: number): () => boolean {
  let second = 0;
  let count = 0;
  return () => {
    const current = Math.floor(performance.now() / 1000);
    if (current !== second) {
      count = 0;
    }
    second = current;
    count += 1;
    return count <= most;
  };
}
