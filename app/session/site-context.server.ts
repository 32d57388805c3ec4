import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { RealtimeClientOptions } from "@supabase/supabase-js";
import { createContext } from "react-router";
import type { BackupState } from "#app/lib/backup-text.ts";

export type RealtimeSocket = NonNullable<RealtimeClientOptions["transport"]>;

/** The Supabase behind the site, wherever it runs. */
export interface Backend {
  /** Base of /auth/v1, /rest/v1 and /realtime/v1 for server code. */
  url: string;
  publishableKey: string;
  /** Signs notice cookies and the like. */
  cookieSecret: string;
  /** For server code: `address` is the visitor on whose behalf it asks. */
  fetch(request: Request, client: { address: string }): Promise<Response>;
  /** How the official client connects to Realtime; absent when it does so over the network. */
  realtimeSocket?(client: { address: string }): RealtimeSocket;
  /** How the backups stand, null if none are made; absent when the database lives elsewhere. */
  backups?(): Promise<BackupState | null>;
  /** True if the database answers. */
  healthy(): Promise<boolean>;
  close(): Promise<void>;
  /** What the site's port serves of it; absent when it lives elsewhere. */
  endpoints?: {
    fetch(request: Request, client: { address: string }): Promise<Response>;
    upgrade(
      request: IncomingMessage,
      socket: Duplex,
      head: Buffer,
      client: { address: string },
    ): void;
  };
}

export interface Site {
  backend: Backend;
  /** The address that people use, without a path. */
  url: URL;
  /** Whether cookies are Secure and carry the `__Host-` prefix. */
  secure: boolean;
}

/** What stays the same for every request. */
export const siteContext = createContext<Site>();

/** What went wrong with a request that no page answers. */
export interface Refusal {
  status: number;
  /** Where the visitor can go on. */
  back: string;
  /** Of what was typed, the fields that are no secrets. */
  kept: Record<string, string>;
}

export const refusalContext = createContext<Refusal | null>(null);

/** Whether answering failed in a way that no page expects. */
export const faultContext = createContext(false);

/** Who asks: the real client address, proxies already resolved. */
export const visitorContext = createContext<{ address: string }>();
