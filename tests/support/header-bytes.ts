/**
 * The maximum size of response headers. nginx rejects responses whose headers exceed its
 * `proxy_buffer_size`, which nginx.conf sets to 16 KiB.
 */
export const longestHeaders = 14_000;

/**
 * Returns the bytes of a status line and headers in HTTP/1.1.
 * @param rawHeaders alternating names and values
 */
export function headerBytes(statusText: string, rawHeaders: string[]): number {
  // Two more bytes each: ": " after a name, CRLF after a value.
  const lengths = rawHeaders.map((text) => Buffer.byteLength(text) + 2);
  return lengths.reduce((sum, length) => sum + length, `HTTP/1.1 200 ${statusText}`.length + 4);
}
