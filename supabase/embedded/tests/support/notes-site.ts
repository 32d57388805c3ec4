import { join } from "node:path";
import type { Limits } from "#embedded/auth/limits.ts";
import type { Mail } from "#embedded/auth/mail.ts";
import type { Call } from "#embedded/calls.ts";
import { startEmbedded } from "#embedded/index.ts";
import type { Log } from "#embedded/log.ts";
import { movableClock } from "./clock.ts";
import { tempFolder } from "./folder.ts";
import { recordingLog } from "./log.ts";
import { copyEmptyCluster } from "./made-cluster.ts";

export const migrationsDir = new URL("../migrations", import.meta.url).pathname;

const calls: Call[] = [
  { method: "GET", path: "/auth/v1/.well-known/jwks.json" },
  { method: "GET", path: "/auth/v1/user" },
  { method: "PUT", path: "/auth/v1/user", parameters: ["redirect_to"] },
  { method: "POST", path: "/auth/v1/signup", parameters: ["redirect_to"] },
  { method: "POST", path: "/auth/v1/token?grant_type=password" },
  { method: "POST", path: "/auth/v1/token?grant_type=refresh_token" },
  { method: "POST", path: "/auth/v1/logout?scope=others" },
  { method: "POST", path: "/auth/v1/verify" },
  { method: "POST", path: "/auth/v1/recover", parameters: ["redirect_to"] },
  { method: "POST", path: "/auth/v1/resend", parameters: ["redirect_to"] },
  { method: "POST", path: "/auth/v1/otp", parameters: ["redirect_to"] },
  { method: "POST", path: "/auth/v1/factors" },
  { method: "POST", path: "/auth/v1/factors/:id/challenge" },
  { method: "POST", path: "/auth/v1/factors/:id/verify" },
  { method: "DELETE", path: "/auth/v1/factors/:id" },
  { method: "POST", path: "/rest/v1/rpc/add_note" },
  { method: "POST", path: "/rest/v1/rpc/my_notes" },
  { method: "POST", path: "/rest/v1/rpc/lock_notes" },
  { method: "POST", path: "/rest/v1/rpc/count_notes" },
  { method: "POST", path: "/rest/v1/rpc/wait" },
];

/** Allows everything. */
export const noLimits = (): Limits => ({
  requestMail: async () => null,
  forgetRequest: async () => undefined,
  sendMail: async () => true,
});

export type NotesSite = Awaited<ReturnType<typeof startNotes>>;

interface Given {
  dataDir?: string;
  log?: Log;
  confirmEmail?: boolean;
}

/**
 * Starts the backend of a small site, in which accounts keep notes. A data folder that is not given is
 * a new one, which `close` removes.
 */
export async function startNotes(given: Given = {}) {
  const folder = given.dataDir === undefined ? await tempFolder() : undefined;
  const dataDir = given.dataDir ?? join(folder?.path ?? "", "data");
  await copyEmptyCluster(dataDir);
  const mails: Mail[] = [];
  const changes: string[] = [];
  const lines: string[] = [];
  const url = "http://localhost";
  const clock = movableClock();
  const embedded = await startEmbedded({
    dataDir,
    migrationsDir,
    calls,
    siteUrl: url,
    confirmEmail: given.confirmEmail ?? false,
    limits: noLimits,
    sendMail: async (mail) => {
      mails.push(mail);
      return mail.to.endsWith("@refused.example") ? "refused" : "sent";
    },
    onAccountChange: (change, email) => void changes.push(`${change} ${email}`),
    log: given.log ?? recordingLog(lines),
    now: clock.now,
  });
  return {
    ...clock,
    url,
    publishableKey: embedded.publishableKey,
    embedded,
    dataDir,
    /** The mails, the changes that it was told of and the log, each since the start. */
    mails,
    changes,
    lines,
    /** Calls a function as a visitor. */
    call: (name: string, args: object) =>
      embedded.fetch(
        new Request(`${url}/rest/v1/rpc/${name}`, { method: "POST", body: JSON.stringify(args) }),
      ),
    async close() {
      await embedded.close();
      await folder?.[Symbol.asyncDispose]();
    },
  };
}
