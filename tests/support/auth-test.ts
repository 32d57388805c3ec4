// oxlint-disable no-empty-pattern
import { test as base } from "vitest";
import type { AuthSettings } from "#embedded/auth/settings.ts";
import { startAuthServer } from "./auth-server.ts";

/** vitest's test, with one backend a file. `authSettings` can be overridden at its top. */
export const test = base
  .extend("authSettings", { scope: "file" }, (): Partial<AuthSettings> => ({}))
  .extend("server", { scope: "file" }, async ({ authSettings }, { onCleanup }) => {
    const server = await startAuthServer(authSettings);
    onCleanup(() => server.close());
    return server;
  });
