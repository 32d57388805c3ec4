import type { ApiRequest } from "./api-request.ts";
import type { Catalog } from "./catalog.ts";
import { RestError } from "./errors.ts";
import { answerFunction } from "./functions.ts";
import { readAccept } from "./request/media.ts";
import { decodeText } from "./request/pairs.ts";
import { readPreferences } from "./request/preferences.ts";
import { answerTable } from "./tables.ts";

/** Answers a request to `path`, relative to /rest/v1. Rejects with RestError. */
export async function route(
  catalog: Catalog,
  path: string,
  parts: Pick<ApiRequest, "request" | "pairs" | "run">,
): Promise<Response> {
  const { method, headers } = parts.request;
  if (path === "/") {
    throw new RestError(404, { code: "PGRST126", message: "Root endpoint metadata is disabled" });
  }
  const [, rpc, segment] = /^\/(rpc\/)?([^/]+)$/.exec(path) ?? [];
  if (segment === undefined) {
    throw new RestError(404, {
      code: "PGRST125",
      message: "Invalid path specified in request URL",
    });
  }
  requireSchema(
    headers.get(method === "GET" || method === "HEAD" ? "accept-profile" : "content-profile"),
  );
  const name = decodeText(segment);
  const api: ApiRequest = {
    ...parts,
    preferences: readPreferences(headers.get("prefer")),
    media: readAccept(headers.get("accept")),
  };
  return rpc ? answerFunction(catalog, name, api) : answerTable(catalog, name, api);
}

function requireSchema(name: string | null): void {
  if (name !== null && name !== "public") {
    throw new RestError(406, {
      code: "PGRST106",
      message: `Invalid schema: ${name}`,
      hint: "Only the following schemas are exposed: public",
    });
  }
}
