import { type IncomingMessage, request as httpRequest } from "node:http";
import { buffer } from "node:stream/consumers";
import type { RunningSite } from "./site.ts";
import type { Visitor } from "./visitor.ts";

/** Asks for a file and does not read on; a request that was never answered rejects. */
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

/** The whole file, or rejects if it broke off. */
export async function download(site: RunningSite, visitor: Visitor, path: string) {
  const response = await openDownload(site, visitor, path);
  const { statusCode: status, headers } = response;
  return { status, headers, text: (await buffer(response)).toString() };
}
