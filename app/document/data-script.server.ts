/**
 * The script with the loaders' data, in UTF-8 bytes as a latin1 string. ServerRouter would stream it
 * in parts (react-router, lib/dom/ssr/single-fetch.tsx); our pages are sent whole.
 */
export async function dataScript(data: ReadableStream<Uint8Array> | undefined): Promise<string> {
  let text = "";
  for await (const chunk of data ?? []) {
    text += Buffer.from(chunk).toString("latin1");
  }
  const literal = JSON.stringify(text).replaceAll("<", "\\u003c");
  const controller = "window.__reactRouterContext.streamController";
  return `<script>${controller}.enqueue(${literal});${controller}.close();</script>`;
}
