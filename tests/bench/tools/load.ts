import autocannon from "autocannon";

/** Requests one page at full load. Returns requests per second; throws on other statuses. */
export async function load(
  url: string,
  options: { connections: number; seconds: number; headers: Record<string, string> },
): Promise<number> {
  const { connections, seconds: duration, headers } = options;
  const result = await autocannon({ url, connections, duration, headers });
  if (result.errors > 0 || result.non2xx > 0) {
    throw new Error(`${url}: ${result.errors} errors, ${result.non2xx} other answers`);
  }
  return result.requests.average;
}
