// oxlint-disable no-empty-pattern
import { test as base } from "vitest";
import type { AuthSettings } from "#embedded/auth/settings.ts";
import { type AuthServer, startAuthServer } from "./auth-server.ts";

/** A test with one backend per file. `authSettings` can be overridden at the top of the file. */
export const test = base
  .extend("authSettings", { scope: "file" }, (): Partial<AuthSettings> => ({}))
  .extend("server", { scope: "file" }, async ({ authSettings }, { onCleanup }) => {
    const server = await startAuthServer(authSettings);
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
    return async (settings: Partial<AuthSettings> = {}) => {
      const server = await startAuthServer(settings);
      servers.push(server);
      return server;
    };
  });
