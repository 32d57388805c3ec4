import { once } from "node:events";
import type { Server } from "node:http";
import { checkOwner } from "#app/content/check-owner.ts";
import { readPictures } from "#app/content/pictures.server.ts";
import { log, logFault } from "#app/lib/log.server.ts";
import { StartError } from "#app/lib/start-error.ts";
import { cookieNames } from "#app/session/cookie-names.server.ts";
import manifest from "#package.json" with { type: "json" };
import { OwnersAbsences } from "./absences.ts";
import { openBackend } from "./backend/backend.ts";
import { clientAddressReader } from "./http/client-address.ts";
import { createRequestListener, hasOneHost } from "./http/request-listener.ts";
import { openServer } from "./http/server.ts";
import { LiveInbox, livePath } from "./live/live-inbox.ts";
import { checkSmtp } from "./mail/smtp.ts";
import { openChannels } from "./notifications/channels.ts";
import { openNotifications } from "./notifications/notifications.ts";
import { VisitCounters } from "./pages/counters.ts";
import { openPages } from "./pages/pages.ts";
import { checkReadiness, warnOf } from "./readiness.ts";
import { readEnv, requireKeys } from "./settings.ts";
import { siteUrlOf } from "./site-url.ts";
import { makeWorkbook } from "./workbook/workbook.ts";

const shutdownTimeoutMs = 10_000;
const requestTimeoutMs = 5_000;
const repeatMs = 1_000;

// A log that cannot be written (a closed pipe, a full disk) must not end the site.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", () => undefined);
}

process.on("uncaughtException", (error) => {
  logFault("The site ends because of an uncaught error", error);
  process.exit(1);
});

const dev = process.argv.includes("--dev");
try {
  await start();
} catch (error) {
  if (!(error instanceof StartError)) {
    throw error;
  }
  log.error(error.message);
  process.exit(1);
}

async function start() {
  if (!dev) {
    nameOnlyWhatLibrariesPrint();
  }
  const env = readEnv();
  requireKeys(env);
  // log.server.ts reads it from the environment; .env may have set it.
  process.env["LOG_FORMAT"] = env.LOG_FORMAT;
  checkOwner();
  const lacks = checkReadiness(env);
  const pictures = readPictures();
  const clientAddress = clientAddressReader(env.TRUSTED_PROXIES ?? [], log.warn);
  const url = siteUrlOf(env);
  const secure = url.protocol === "https:";

  const { http: server, serve, finish } = await openServer({ port: env.PORT, host: env.HOST });
  const pages = await openPages(dev, server);
  const backend = await openBackend(env, url, dev).catch(async (error) => {
    await pages.close();
    throw error;
  });
  const absences = new OwnersAbsences(backend);
  const notifications = openNotifications(backend, openChannels(env, url, absences));
  const counters = new VisitCounters(backend);
  const site = {
    backend,
    notifications,
    counters,
    absences,
    makeWorkbook,
    pictures,
    url,
    secure,
    lacks,
  };
  const shown = await pages.create(site, cookieNames(secure));
  const live = new LiveInbox({ site, clientAddress, respond: shown.respond });
  absences.watch(async () => {
    live.readAgain();
    await shown.renew?.();
  });
  const closers = [pages.close, () => live.close(), backend.close];
  server.on("upgrade", (request, socket, head) => {
    if (!hasOneHost(request)) {
      socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
      return;
    }
    const [path = ""] = request.url?.split("?", 1) ?? [];
    if (path === livePath) {
      live.upgrade(request, socket, head);
    } else if (!dev) {
      // In development, Vite handles its own WebSockets.
      socket.destroy();
    }
  });
  await serve(createRequestListener({ site, clientAddress, ...shown }));
  warnOf(lacks);
  void checkSmtp(env);
  log.info(`Tawasul is ready: ${url.origin}`, { version: manifest.version });

  // The Supabase client has promises that it does not await. A rejected one must not end the site.
  process.on("unhandledRejection", (reason) => {
    logFault("A promise failed", reason);
  });

  const finishAll = async () => {
    await Promise.all([finish(requestTimeoutMs), notifications.close()]);
    absences.close();
    await counters.close();
  };
  onStopSignal((signal) => {
    log.info("Stopping", { signal });
    void stop(server, finishAll, closers);
  });
}

/** supabase-js prints a stack at each hostile request. */
function nameOnlyWhatLibrariesPrint(): void {
  console.warn = console.error = (printed: unknown) => {
    const error = printed instanceof Error ? printed.name : "no Error";
    log.often("warn", "A library printed a warning or an error", { error });
  };
}

/**
 * Calls `begin` at the first signal; a terminal that closes sends SIGHUP. A terminal and npm both pass
 * Ctrl-C on, so another one within a second is the same; a later one ends the process at once.
 */
function onStopSignal(begin: (signal: string) => void): void {
  let first: number | undefined;
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (first === undefined) {
        first = performance.now();
        begin(signal);
      } else if (performance.now() - first > repeatMs) {
        log.error("The site ends at once because of a second signal", { signal });
        process.exit(1);
      }
    });
  }
}

/** Waits for requests and notifications in flight, then closes everything. */
async function stop(
  server: Server,
  finish: () => Promise<unknown>,
  closers: (() => Promise<void>)[],
): Promise<void> {
  setTimeout(() => {
    log.error("The site did not stop in time, and ends now");
    process.exit(1);
  }, shutdownTimeoutMs).unref();
  const closed = once(server, "close");
  server.close();
  await finish();
  await Promise.all(closers.map((close) => close()));
  server.closeAllConnections();
  await closed;
  log.info("Stopped");
  process.exit(0);
}
