import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Keys } from "#embedded/keys.ts";
import { roleOfApiKey } from "#embedded/tokens.ts";
import type { Serializer } from "./types.ts";

type Admission =
  | { ok: true; serializer: Serializer; role: string }
  | { ok: false; status: number; error: string };

/** Checks a handshake (CONTRACT.md, "Handshake"). Any Origin may connect: no cookies are used. */
export function admit(request: IncomingMessage, keys: Keys): Admission {
  const url = URL.parse(request.url ?? "", "http://localhost");
  if (url?.pathname !== "/realtime/v1/websocket") {
    return { ok: false, status: 404, error: "Not found" };
  }
  const header = request.headers["x-api-key"];
  const apikey = url.searchParams.get("apikey") ?? (typeof header === "string" ? header : "");
  const role = roleOfApiKey(keys, apikey);
  if (!role) {
    return { ok: false, status: 401, error: apikey ? "Invalid API key" : "Missing API key" };
  }
  const vsn = url.searchParams.get("vsn") ?? "1.0.0";
  if (!/^[12]\.0\.\d+$/.test(vsn)) {
    return { ok: false, status: 400, error: "The serializer version is not supported" };
  }
  return { ok: true, role, serializer: vsn.startsWith("1") ? 1 : 2 };
}

/** Responds to a handshake with an HTTP error and ends the socket. */
export function refuse(socket: Duplex, status: number, error: string): void {
  const body = JSON.stringify({ error });
  socket.on("error", () => undefined);
  socket.once("finish", () => socket.destroy());
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      "Connection: close",
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "",
      body,
    ].join("\r\n"),
  );
}
