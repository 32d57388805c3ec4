import { buffer } from "node:stream/consumers";

/**
 * The script that gives the loaders' data to the browser's router, as UTF-8 bytes in a latin1
 * string. ServerRouter would render it in parts, each in a Suspense boundary (react-router,
 * lib/dom/ssr/single-fetch.tsx), for a page that streams. Ours is sent whole.
 * @param data UTF-8 text that turbo-stream made of it
 */
export async function dataScript(data: ReadableStream<Uint8Array> | undefined): Promise<string> {
  const text = data ? (await buffer(data)).toString("latin1") : "";
  const literal = JSON.stringify(text).replaceAll("<", "\\u003c");
  const controller = "window.__reactRouterContext.streamController";
  return `<script>${controller}.enqueue(${literal});${controller}.close();</script>`;
}
