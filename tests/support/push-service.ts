import { once } from "node:events";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { Agent, createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface Pushed {
  /** Where it was sent. */
  endpoint: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface PushService extends AsyncDisposable {
  port: number;
  /** Connects to it for every name below push.example. */
  agent: Agent;
  /** How many connections were opened. */
  connections: number;
  posts: Pushed[];
  /** Answers in place of 201. */
  answer: ((response: ServerResponse, endpoint: string) => void) | undefined;
}

/** Push services (RFC 8030) for *.push.example, over TLS on a free port of this machine. */
export async function startPushService(): Promise<PushService> {
  const server = createServer({ key, cert }, async (request, response) => {
    const endpoint = `https://${request.headers.host}${request.url}`;
    service.posts.push({ endpoint, headers: request.headers, body: await buffer(request) });
    if (service.answer) {
      service.answer(response, endpoint);
    } else {
      response.writeHead(201, { Location: endpoint }).end();
    }
  });
  server.on("connection", () => {
    service.connections += 1;
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  class LocalAgent extends Agent {
    override createConnection(...[options, done]: Parameters<Agent["createConnection"]>) {
      return super.createConnection({ ...options, host: "127.0.0.1", port }, done);
    }
  }
  const service: PushService = {
    port,
    agent: new LocalAgent({ ca: cert }),
    connections: 0,
    posts: [],
    answer: undefined,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return service;
}

// Made for these tests alone: openssl, a P-256 key and a certificate for *.push.example.
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg42qW4LYoX5YurRGa
RicRVG6aUlEzfLoCjIVFd6iKJpyhRANCAATqrZE/d+SGBBdEVLuR2C6S5GtEg4MG
jHTsDYnhotvu5deWFwmAxDX0uUJijTyR7aT/4Kz0xgxOV4GjefWUX3xD
-----END PRIVATE KEY-----
`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBbDCCARKgAwIBAgIBATAKBggqhkjOPQQDAjAXMRUwEwYDVQQDDAxwdXNoLmV4
YW1wbGUwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBcxFTATBgNV
BAMMDHB1c2guZXhhbXBsZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABOqtkT93
5IYEF0RUu5HYLpLka0SDgwaMdOwNieGi2+7l15YXCYDENfS5QmKNPJHtpP/grPTG
DE5XgaN59ZRffEOjTTBLMBkGA1UdEQQSMBCCDioucHVzaC5leGFtcGxlMA8GA1Ud
EwEB/wQFMAMBAf8wHQYDVR0OBBYEFBpLFy7gkB0q4kg1QdaySmEupeecMAoGCCqG
SM49BAMCA0gAMEUCIHo7keHcHuRj4vrB8yz3aO4F+4AkO7Q/3h4vKC8JjuqrAiEA
gRcv+nX/oZm/Wi2ZzUD9ESgFNCmAvSiNsiUnWGDTUmA=
-----END CERTIFICATE-----
`;
