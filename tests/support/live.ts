import { WebSocket } from "ws";
import type { Api } from "./api.ts";
import type { Visitor } from "./visitor.ts";

/** The socket of an open board, as a browser with this cookie has it. */
export interface LiveTab {
  socket: WebSocket;
  /** The frames that came so far, without the beats. */
  frames: string[];
  /** The status that refused the handshake; 101 when the socket opened. */
  status: Promise<number>;
  /** The code that the socket closed with. */
  closed: Promise<number>;
}

interface Options {
  cookie: string;
  /** Each connection may come from an address of its own. */
  address: string;
  /** undefined sends none. */
  origin?: string | undefined;
  headers?: Record<string, string>;
  /** Whether pings are answered, as browsers do. */
  autoPong?: boolean;
}

/** Asks the site for the socket of the inbox. */
export function openTab(site: { url: string }, options: Options): LiveTab {
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
  const frames: string[] = [];
  socket.on("message", (data) => {
    const text = String(data);
    if (text !== "") {
      frames.push(text);
    }
  });
  const status = Promise.withResolvers<number>();
  socket.once("open", () => status.resolve(101));
  socket.once("unexpected-response", (_request, response) => {
    status.resolve(response.statusCode ?? 0);
    socket.terminate();
  });
  // A close follows; a refusal has its status.
  socket.on("error", () => undefined);
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  return { socket, frames, status: status.promise, closed };
}

export const cookieOf = (visitor: Visitor) =>
  visitor
    .sessionCookies()
    .map(([name, value]) => `${name}=${value}`)
    .join("; ");

/** A cookie with another token in the place of the session's own. */
export function cookieWith(visitor: Visitor, token: string): string {
  const session = JSON.stringify({ ...visitor.session(), access_token: token });
  return `session=base64-${Buffer.from(session).toString("base64url")}`;
}

/** Stores a message by the secret key. */
export async function insert(api: Api, name: string, extra = {}): Promise<void> {
  const row = { name, email: "a@example.com", message: `نص ${name}`, ...extra };
  const answer = await api.send(api.service, "POST", "/rest/v1/contact_messages", row);
  if (answer.status !== 201) {
    throw new Error(`The message was refused: ${answer.text}`);
  }
}

/** The names of the messages that a tab received; undefined for a notice without one. */
export const namesOf = ({ frames }: LiveTab) =>
  frames.map((frame) => (JSON.parse(frame) as { name: string } | null)?.name);
