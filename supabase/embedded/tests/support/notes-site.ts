import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import type { Limits } from "#embedded/auth/limits.ts";
import type { Mail } from "#embedded/auth/mail.ts";
import type { Call } from "#embedded/calls.ts";
import { startEmbedded } from "#embedded/index.ts";
import type { Log } from "#embedded/log.ts";
import { tempFolder } from "./folder.ts";
import { recordingLog } from "./log.ts";

export const migrationsDir = new URL("../migrations", import.meta.url).pathname;

const calls: Call[] = [
  { method: "POST", path: "/auth/v1/signup", parameters: ["redirect_to"] },
  { method: "POST", path: "/auth/v1/token?grant_type=password" },
  { method: "POST", path: "/auth/v1/otp", parameters: ["redirect_to"] },
  { method: "POST", path: "/auth/v1/verify" },
  { method: "GET", path: "/auth/v1/user" },
  { method: "POST", path: "/rest/v1/rpc/add_note" },
  { method: "POST", path: "/rest/v1/rpc/my_notes" },
  { method: "POST", path: "/rest/v1/rpc/lock_notes", change: "notes_locked" },
  { method: "POST", path: "/rest/v1/rpc/count_notes" },
  { method: "POST", path: "/rest/v1/rpc/wait" },
];

/** Allows everything. */
const limits = (): Limits => ({
  requestMail: async () => null,
  sendMail: async () => true,
  acceptsCodes: async () => true,
  countWrongCode: async () => undefined,
});

export type NotesSite = Awaited<ReturnType<typeof startNotes>>;

/**
 * Starts the backend of a small site, in which accounts keep notes. A data folder that is not given is
 * a new one, which `close` removes.
 */
export async function startNotes(given: { dataDir?: string; log?: Log } = {}) {
  const folder = given.dataDir === undefined ? await tempFolder() : undefined;
  const dataDir = given.dataDir ?? join(folder?.path ?? "", "data");
  const mails: Mail[] = [];
  const changes: string[] = [];
  const lines: string[] = [];
  const embedded = await startEmbedded({
    dataDir,
    migrationsDir,
    calls,
    siteUrl: "http://localhost",
    auth: {},
    limits,
    sendMail: (mail) => void mails.push(mail),
    onAccountChange: (change, email) => void changes.push(`${change} ${email}`),
    log: given.log ?? recordingLog(lines),
  });
  const ask = (input: string | URL | Request, init?: RequestInit) =>
    embedded.fetch(new Request(input, init), { address: "192.0.2.1" });
  return {
    embedded,
    dataDir,
    /** The mails, the changes that it was told of and the log, each since the start. */
    mails,
    changes,
    lines,
    /** Calls a function as a visitor. */
    call: (name: string, args: object) =>
      ask(`http://localhost/rest/v1/rpc/${name}`, { method: "POST", body: JSON.stringify(args) }),
    /** A client of its own session. */
    client: () =>
      createClient("http://localhost", embedded.publishableKey, {
        auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
        global: { fetch: ask },
      }),
    async close() {
      await embedded.close();
      await folder?.[Symbol.asyncDispose]();
    },
  };
}
