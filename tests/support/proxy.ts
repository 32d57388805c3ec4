import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, request as ask } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

/** `refuse`: like a proxy without WebSockets. `swallow`: like a firewall that drops packets. */
type Sockets = "pass" | "refuse" | "swallow";

/** `stall`: sends a response's start and not its end; `cut`: closes before its end. A number: responds with that status. */
type Fate = "pass" | "swallow" | "stall" | "cut" | number | Reply;

/** What a service answered, as recorded. */
interface Reply {
  status: number;
  body: object;
}

export type FateOf = (
  path: string,
  asked: { method: string; headers: IncomingHttpHeaders },
) => Fate | Promise<Fate>;

const pass = () => "pass" as const;

/**
 * Starts a proxy between browser and site that simulates network faults.
 * @param rules decide about a request before its fate does, and may change its headers
 */
export async function startProxy(site: { url: string }, rules: FateOf = pass) {
  const target = new URL(site.url);
  let sockets: Sockets = "pass";
  let fateOf: FateOf = pass;
  let takesCookies = true;
  const open = new Set<[Socket, Socket?]>();
  const server = createServer(async (incoming, outgoing) => {
    const { method = "", url: path = "", headers } = incoming;
    if (!takesCookies) {
      delete headers.cookie;
    }
    const ruled = await rules(path, { method, headers });
    const fate = ruled === "pass" ? await fateOf(path, { method, headers }) : ruled;
    if (fate === "swallow") {
      return incoming.resume();
    }
    if (fate === "stall") {
      incoming.resume();
      return outgoing.writeHead(200, { "Content-Type": "application/json" }).write("{");
    }
    if (fate === "cut") {
      // Each byte that arrives is then readable.
      delete headers["accept-encoding"];
    } else if (fate !== "pass") {
      incoming.resume();
      const limited = { code: "over_request_rate_limit", message: "no" };
      const { status, body } = typeof fate === "number" ? { status: fate, body: limited } : fate;
      outgoing.writeHead(status, {
        "Content-Type": "application/json",
        // As GoTrue: its client reads the code of such answers alone.
        ...("code" in body && { "X-Supabase-Api-Version": "2024-01-01" }),
      });
      return outgoing.end(JSON.stringify(body));
    }
    const forwarded = ask(target, { method, path, headers, setHost: false }, (answer) => {
      if (!takesCookies) {
        delete answer.headers["set-cookie"];
      }
      if (fate === "cut") {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.once("data", (bytes: Buffer) => {
          outgoing.write(bytes.subarray(0, bytes.length / 2), () => outgoing.socket?.end());
        });
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  server.on("upgrade", async ({ url = "", headers, rawHeaders }, socket: Socket, head) => {
    socket.on("error", () => undefined);
    if ((await rules(url, { method: "GET", headers })) !== "pass") {
      return socket.end("HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n");
    }
    if (sockets === "refuse") {
      return socket.end("HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n");
    }
    const upstream = sockets === "pass" ? connect(Number(target.port), target.hostname) : undefined;
    const pair: [Socket, Socket?] = [socket, upstream];
    open.add(pair);
    socket.once("close", () => {
      open.delete(pair);
      upstream?.destroy();
    });
    if (!upstream) {
      return socket.resume();
    }
    upstream.on("error", () => undefined).once("close", () => socket.destroy());
    const lines = rawHeaders.map((text, index) => `${text}${index % 2 ? "\r\n" : ": "}`);
    upstream.write(`GET ${url} HTTP/1.1\r\n${lines.join("")}\r\n`);
    upstream.write(head);
    upstream.pipe(socket).pipe(upstream);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    /** Sets the fate of later requests. */
    setRequests(next: FateOf) {
      fateOf = next;
    },
    /** Removes cookies, like a browser that blocks them. */
    blockCookies() {
      takesCookies = false;
    },
    /** Sets the fate of later sockets. */
    setSockets(next: Sockets) {
      sockets = next;
    },
    /** Cuts all open sockets. Returns how many there were. */
    cut() {
      const count = open.size;
      for (const [socket] of open) {
        socket.destroy();
      }
      return count;
    },
    /** Stops the traffic of all open sockets without closing them. */
    mute() {
      for (const [socket, upstream] of open) {
        upstream?.unpipe(socket).resume();
        if (upstream) {
          socket.unpipe(upstream).resume();
        }
      }
    },
    async stop() {
      server.closeAllConnections();
      this.cut();
      server.close();
      await once(server, "close");
    },
  };
}
