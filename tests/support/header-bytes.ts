/**
 * The most that the headers of an answer may take. nginx refuses what does not fit into its
 * `proxy_buffer_size`, by default one page of memory: 4 KiB.
 */
export const longestHeaders = 3500;

/**
 * The bytes of a status line and of headers, as HTTP/1.1 sends them.
 * @param rawHeaders names and values in turns
 */
export function headerBytes(statusText: string, rawHeaders: string[]): number {
  // Each name is followed by a colon and a space, each value by a line break.
  const lengths = rawHeaders.map((text) => Buffer.byteLength(text) + 2);
  return lengths.reduce((sum, length) => sum + length, `HTTP/1.1 200 ${statusText}`.length + 4);
}
