import { WebSocket } from "ws";
import type { Api } from "./api.ts";
import type { Visitor } from "./visitor.ts";

/** The socket of an open board. */
export type LiveTab = ReturnType<typeof openTab>;

interface Options {
  cookie: string;
  /** The client address, sent as X-Forwarded-For. */
  address: string;
  /** Undefined sends no Origin. */
  origin?: string | undefined;
  headers?: Record<string, string>;
  /** Whether to answer pings, as browsers do. */
  autoPong?: boolean;
}

/** Opens the socket of the inbox. */
export function openTab(site: { url: string }, options: Options) {
  const { cookie, address, headers, autoPong = true } = options;
  const origin = "origin" in options ? options.origin : site.url;
  const socket = new WebSocket(`${site.url.replace("http", "ws")}/admin/live`, {
    headers: {
      "X-Forwarded-For": address,
      ...(cookie && { Cookie: cookie }),
      ...(origin !== undefined && { Origin: origin }),
      ...headers,
    },
    autoPong,
  });
  /** The frames received so far, without heartbeats. */
  const frames: string[] = [];
  socket.on("message", (data) => {
    const text = String(data);
    if (text !== "") {
      frames.push(text);
    }
  });
  /** The status of the handshake, 101 if the socket opened. */
  const status = Promise.withResolvers<number>();
  /** The Set-Cookie headers of the handshake. */
  const cookies = new Promise<string[]>((resolve) => {
    socket.once("upgrade", ({ headers: given }) => resolve(given["set-cookie"] ?? []));
  });
  socket.once("open", () => status.resolve(101));
  socket.once("unexpected-response", (_request, response) => {
    status.resolve(response.statusCode ?? 0);
    socket.terminate();
  });
  // Every error is followed by 'close', and a rejected handshake has a status.
  socket.on("error", () => undefined);
  /** The close code. */
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  return { socket, frames, status: status.promise, cookies, closed };
}

export const cookieOf = (visitor: Visitor) =>
  visitor
    .sessionCookies()
    .map(([name, value]) => `${name}=${value}`)
    .join("; ");

/** Returns the visitor's cookie with another access token. */
export function cookieWith(visitor: Visitor, token: string, fields = {}): string {
  const session = JSON.stringify({ ...visitor.session(), ...fields, access_token: token });
  return `session=base64-${Buffer.from(session).toString("base64url")}`;
}

/** Stores a message. */
export async function insert(api: Api, name: string, extra = {}): Promise<void> {
  const row = { name, email: "a@example.com", message: `نص ${name}`, ...extra };
  await api.store(row);
}

/** Returns the names in the messages that a tab received, undefined for frames without one. */
export const namesOf = ({ frames }: LiveTab) =>
  frames.map((frame) => (JSON.parse(frame) as { name: string } | null)?.name);
