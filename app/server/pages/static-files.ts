import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join, relative } from "node:path";
import { getMimeType } from "hono/utils/mime";
import { pageHeaders } from "#app/server/http/headers.ts";
import { type CachedResponse, cachedResponse, sendCached } from "./cached-response.ts";

/**
 * Reads the build into memory, so that a new build does not remove files of the running one. Returns
 * a listener, which returns false for requests of other paths.
 */
export async function openFiles(
  folder: string,
  base: Record<string, string>,
): Promise<(request: IncomingMessage, response: ServerResponse) => boolean> {
  const answers = new Map<string, CachedResponse>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name))),
  );
  for (const path of paths) {
    if (/\.(br|gz)$/.test(path)) {
      continue;
    }
    const identity = await readFile(join(folder, path));
    const copy = (name: string) => (paths.has(name) ? readFile(join(folder, name)) : identity);
    const bodies = { br: await copy(`${path}.br`), gzip: await copy(`${path}.gz`), identity };
    answers.set(`/${path}`, cachedResponse(bodies, headersOf(path, base)));
  }
  return (request, response) => {
    const { method, url = "" } = request;
    const answer = answers.get(url.split("?", 1)[0] ?? "");
    if (answer === undefined || (method !== "GET" && method !== "HEAD")) {
      return false;
    }
    sendCached(answer, request, response);
    return true;
  };
}

function headersOf(path: string, base: Record<string, string>): Record<string, string> {
  const isAsset = path.startsWith("assets/");
  const kept = Object.entries(base).filter(([name]) => !isAsset || !pageHeaders.includes(name));
  return {
    ...Object.fromEntries(kept),
    "cache-control": isAsset ? "public, max-age=31536000, immutable" : "public, max-age=3600",
    "content-type": getMimeType(path) ?? "application/octet-stream",
    vary: "Accept-Encoding",
  };
}
