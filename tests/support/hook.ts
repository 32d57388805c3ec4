import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

export interface Posted {
  path: string;
  headers: NodeJS.Dict<string | string[]>;
  body: unknown;
}

export interface HookServer extends AsyncDisposable {
  url: string;
  posts: Posted[];
  /** Replaces the default response, 204. */
  answer: ((response: ServerResponse) => void) | undefined;
}

/** Starts an HTTP endpoint for JSON on a free local port. */
export async function startHook(): Promise<HookServer> {
  const server = createServer(async (request, response) => {
    const body = await json(request);
    hook.posts.push({ path: request.url ?? "", headers: request.headers, body });
    if (hook.answer) {
      hook.answer(response);
    } else {
      response.writeHead(204).end();
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const hook: HookServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    posts: [],
    answer: undefined,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return hook;
}
