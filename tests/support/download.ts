import { type IncomingMessage, request as httpRequest } from "node:http";
import { buffer } from "node:stream/consumers";
import type { RunningSite } from "./site.ts";
import type { Visitor } from "./visitor.ts";

/** Requests a file without reading the body. Rejects if there is no response. */
export function openDownload(
  site: RunningSite,
  visitor: Visitor,
  path: string,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    httpRequest(site.url + path, { headers: { Cookie: visitor.cookieHeader() }, agent: false })
      .on("response", (response) => resolve(response))
      .on("error", reject)
      .end();
  });
}

/** Downloads a whole file. Rejects if the download is cut off. */
export async function download(site: RunningSite, visitor: Visitor, path: string) {
  const response = await openDownload(site, visitor, path);
  const { statusCode: status, headers } = response;
  const file = await buffer(response);
  return { status, headers, file, text: file.toString() };
}
