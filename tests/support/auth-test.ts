// oxlint-disable no-empty-pattern
import { test as base } from "vitest";
import { type AuthServer, startAuthServer } from "./auth-server.ts";

/** Returns a test with one backend per file. */
export const testWith = (...settings: Parameters<typeof startAuthServer>) =>
  base
    .extend("server", { scope: "file" }, async ({}, { onCleanup }) => {
      const server = await startAuthServer(...settings);
      onCleanup(() => server.close());
      return server;
    })
    /** Starts another backend, closed after the test. */
    .extend("start", ({}, { onCleanup }) => {
      const servers: AuthServer[] = [];
      onCleanup(async () => {
        for (const server of servers) {
          await server.close();
        }
      });
      return async (...others: Parameters<typeof startAuthServer>) => {
        const server = await startAuthServer(...others);
        servers.push(server);
        return server;
      };
    });

export const test = testWith();
