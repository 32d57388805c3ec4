import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { type EmbeddedOptions, startEmbedded } from "embedded-supabase";
import { unlistedCall } from "embedded-supabase/testing";
import { accountLimits } from "#app/server/backend/account-limits.ts";
import { mailAbout, openAccountMails } from "#app/server/mail/account-mails.ts";
import { calls } from "#app/supabase-calls.ts";
import { copyCluster, migrationsDir } from "#tests/support/cluster-template.ts";
import { tempFolder } from "#tests/support/folder.ts";
import { secretKeys } from "#tests/support/keys.ts";
import { silentLog } from "#tests/support/log.ts";
import { serveRealtime } from "#tests/support/realtime.ts";

export type TestOptions = Partial<EmbeddedOptions>;
export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

/** Writes mails into a data folder, as a site without SMTP does. */
export const fileMails = (dataDir: string) =>
  openAccountMails({ smtp: undefined, folder: join(dataDir, "mails"), log: silentLog });

/**
 * Starts the embedded Supabase on a new data folder, behind an HTTP server on a free port of
 * 127.0.0.1, which only tests have: so official clients reach it, and a site takes it for a hosted
 * one (SUPABASE_URL), with a secret key. `options` override those of startEmbedded.
 */
export async function startTestServer(options: TestOptions = {}) {
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const folder = await tempFolder();
  const dataDir = options.dataDir ?? join(folder.path, "data");
  const stopListening = () => {
    http.closeAllConnections();
    return new Promise<void>((resolve) => http.close(() => resolve()));
  };
  try {
    if (options.dataDir === undefined) {
      await copyCluster(dataDir);
    }
    const { log = silentLog } = options;
    const unlisted: string[] = [];
    const mails = fileMails(dataDir);
    const embedded = await startEmbedded({
      migrationsDir,
      calls,
      siteUrl: url,
      confirmEmail: false,
      limits: accountLimits,
      sendMail: mails.send,
      onAccountChange: (change, email) => mails.send(mailAbout(change, email, url)),
      ...options,
      log: {
        ...log,
        error: (event, details) => {
          log.error(event, details);
          if (event === unlistedCall) {
            unlisted.push(`${String(details?.["method"])} ${String(details?.["path"])}`);
          }
        },
      },
      dataDir,
    });
    http.on(
      "request",
      getRequestListener(async (request) => {
        // The site asks a hosted Supabase alone.
        const { pathname } = new URL(request.url);
        if (pathname === "/auth/v1/settings") {
          return Response.json({ mailer_autoconfirm: false });
        }
        const key = /^Bearer (.*)/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
        const [, name] = /^\/rest\/v1\/rpc\/(\w+)$/.exec(pathname) ?? [];
        if (name !== undefined && secretKeys.includes(key)) {
          return embedded.callAsSite(name, await request.json());
        }
        return embedded.fetch(request);
      }),
    );
    return {
      url,
      embedded,
      realtime: serveRealtime(http, dataDir),
      publishableKey: embedded.publishableKey,
      /** The calls so far that are not on the list. */
      unlisted,
      dataDir,
      /** Stops everything. Removes the data folder unless the caller provided it. */
      close: async () => {
        await embedded.close();
        await mails.close();
        await stopListening();
        await folder[Symbol.asyncDispose]();
        if (unlisted.length > 0) {
          throw new Error(`${unlistedCall}: ${unlisted.join(", ")}`);
        }
      },
    };
  } catch (error) {
    await stopListening();
    await folder[Symbol.asyncDispose]();
    throw error;
  }
}
