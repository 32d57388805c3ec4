import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { RealtimeClientOptions } from "@supabase/supabase-js";
import { createContext } from "react-router";
import type { BackupState } from "#app/lib/backup-text.ts";
import type { NoticeWay, Sending } from "#app/lib/notices.ts";

export type RealtimeSocket = NonNullable<RealtimeClientOptions["transport"]>;

/** The embedded Supabase or an outside one. */
export interface Backend {
  /** Base of /auth/v1, /rest/v1 and /realtime/v1 for server code. */
  url: string;
  publishableKey: string;
  cookieSecret: string;
  pushSecret: string;
  /** `address` is the visitor's. The body of the response is complete. */
  fetch(request: Request, client: { address: string }): Promise<Response>;
  /** The transport of the Realtime client, if not the network. */
  realtimeSocket?(client: { address: string }): RealtimeSocket;
  /** Calls a function of the database that only the site may call. Rejects if it fails. */
  callAsSite(name: string, args: object): Promise<unknown>;
  /** How the backups stand, null if none are made; absent when the database lives elsewhere. */
  backups?(): Promise<BackupState | null>;
  /** Whether the database answers within seconds. */
  healthy(): Promise<boolean>;
  close(): Promise<void>;
  /** The embedded one's, on the site's port. */
  endpoints?: {
    fetch(
      request: Request,
      client: { address: string; rawHeaders?: readonly string[] },
    ): Promise<Response>;
    upgrade(
      request: IncomingMessage,
      socket: Duplex,
      head: Buffer,
      client: { address: string },
    ): void;
  };
}

export interface Notices {
  wake(): void;
  /** Sends a test to the owner at once, and notes for the account page what came of it. */
  test(way: NoticeWay, to: string): Promise<Sending>;
  /** The public key for Web Push (RFC 8292), base64url: what a browser subscribes with. */
  pushKey: string;
}

export interface Site {
  backend: Backend;
  notices: Notices;
  /** The site's address, without a path. */
  url: URL;
  secure: boolean;
}

export const siteContext = createContext<Site>();

/** Of a form that no page shows again. */
export interface Refused {
  status: number;
  reason?: string;
  /** With what the form can be sent again, beside what was typed. */
  again?: Record<string, string>;
  /** The note that stands, if not the one that was seen. */
  stored?: string | null;
}

/** Of a request that no page answers. */
export interface Refusal extends Refused {
  /** The path of the link back. */
  back: string;
  /** What was typed, without secrets. */
  kept: Record<string, string>;
}

export const refusalContext = createContext<Refusal | null>(null);

/** Set by a page that failed, or that has no place for what was typed. */
export const refusedContext = createContext<Refused | null>(null);

/** The client's address, behind trusted proxies. */
export const visitorContext = createContext<{ address: string }>();
