import type { RealtimeClientOptions } from "@supabase/supabase-js";
import { createContext } from "react-router";
import type { BackupState } from "#app/lib/backup-text.ts";
import type { NoticeChannel, SendResult } from "#app/lib/notices.ts";

export type RealtimeTransport = NonNullable<RealtimeClientOptions["transport"]>;

/** A Supabase: the embedded one or an outside one. */
export interface Backend {
  /** The base URL of /auth/v1, /rest/v1 and /realtime/v1. */
  url: string;
  publishableKey: string;
  cookieSecret: string;
  pushSecret: string;
  /** `address`: the visitor's IP address. Resolves when the response's body is complete. */
  fetch(request: Request, client: { address: string }): Promise<Response>;
  /** The Realtime client's sockets; absent: the network's. */
  realtimeTransport?: RealtimeTransport;
  /** Calls a database function that only the site may call. Rejects if it fails. */
  callAsSite(name: string, args: object): Promise<unknown>;
  /** The state of the backups, null without BACKUP_DIR; absent for an outside Supabase. */
  backups?(): Promise<BackupState | null>;
  /** Whether the database answers within seconds. */
  healthy(): Promise<boolean>;
  close(): Promise<void>;
  /** The embedded Supabase's HTTP endpoints, served on the site's port. */
  endpoints?: {
    fetch(
      request: Request,
      client: { address: string; rawHeaders?: readonly string[] },
    ): Promise<Response>;
  };
}

export interface Notices {
  wake(): void;
  /** Sends a test notice now and stores its result for the account page. */
  test(channel: NoticeChannel, to: string): Promise<SendResult>;
  /** The public VAPID key (RFC 8292), base64url, with which browsers subscribe. */
  pushKey: string;
}

export interface Site {
  backend: Backend;
  notices: Notices;
  /** The site's URL, without a path. */
  url: URL;
  secure: boolean;
}

export const siteContext = createContext<Site>();

/** A refused form that no page shows again. */
export interface Refused {
  status: number;
  reason?: string;
  /** Hidden fields with which the form can be sent again. */
  again?: Record<string, string>;
  /** The note in the database, if it is not the one that the form showed. */
  stored?: string | null;
}

/** A refused request, for the page of routes/refused.tsx. */
export interface Refusal extends Refused {
  /** The path of the link back. */
  back: string;
  /** The typed values, without secrets. */
  kept: Record<string, string>;
}

export const refusalContext = createContext<Refusal | null>(null);

/** Set by an action that failed, or whose page cannot show what was typed. */
export const refusedContext = createContext<Refused | null>(null);

/** The client's IP address, behind trusted proxies. */
export const visitorContext = createContext<{ address: string }>();
