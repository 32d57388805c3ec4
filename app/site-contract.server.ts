import type { IncomingHttpHeaders } from "node:http";
import type { PictureFile } from "./content/pictures.server.ts";
import type { Placeholder } from "./content/placeholders.ts";
import type { Absence } from "./lib/working-time.ts";

/** A session whose board may listen. */
export interface LiveSession {
  id: string;
  token: string;
  /** In milliseconds since 1970. */
  expiresAt: number;
  /** Whether its account may still read the inbox. Rejects if that cannot be found out. */
  mayRead(): Promise<boolean>;
}

/** Who sent a request. */
export interface Sender {
  /** The IP address, behind trusted proxies. */
  address: string;
}

/** The events for an account that listens to the inbox, under its own rights. */
export interface LiveEvents {
  /** A row of contact_messages was inserted. */
  onInsert(row: unknown): void;
  /** Something else has changed, or may have: the inbox must be read again. */
  onChange(): void;
  /** Nothing more will be told. */
  onEnd(): void;
}

/** What the error of a call has if the database refused it (Backend, `callAsSite`). */
export interface CallRefusal {
  status: number;
  /** PostgREST's or PostgreSQL's; empty for a gateway's refusal. */
  code: string;
  details: string;
}

/** A Supabase: the embedded one or an outside one. */
export interface Backend {
  /** The base URL of /auth/v1 and /rest/v1, and of an outside one's /realtime/v1. */
  url: string;
  publishableKey: string;
  cookieSecret: string;
  /** Resolves when the response's body is complete. */
  fetch(request: Request, client: Sender): Promise<Response>;
  /**
   * Tells the session of an access token of every change of the inbox that commits from now on, until
   * the token expires. Returns the function that stops it. Rejects if it is refused.
   */
  listen(token: string, events: LiveEvents): Promise<() => void>;
  /**
   * Calls a database function that only the site may call, for itself or for a visitor. Rejects if it
   * fails, with the members of a CallRefusal if it was refused.
   */
  callAsSite(name: string, args: object): Promise<unknown>;
  /** The state of the backups, null without BACKUP_DIR; absent for an outside Supabase without it. */
  backups?(): Promise<BackupState | null>;
  /** The free space on the disk of the data, null if the disk does not answer; absent for an outside Supabase. */
  freeBytes?(): Promise<number | null>;
  health(): Promise<Health>;
  /** Whether its accounts may be those of other sites, too. */
  sharesAccounts: boolean;
  /** Mails the holder of an account that was deleted, unless the site can send no mail. */
  tellDeletion(email: string): void;
  /** Whether a mail can verify an account's address; absent: it can. */
  canVerifyEmail?(): boolean;
  close(): Promise<void>;
}

/** What answers within seconds. The embedded authentication is a part of this process. */
export interface Health {
  database: boolean;
  authentication?: boolean;
  /** Whether boards hear of changes. If absent, they do while the database answers. */
  live?: boolean;
}

export interface BackupState {
  at: Date | undefined;
  fault: "full" | "refused" | "other" | undefined;
}

export const notificationChannels = ["mail", "webhook"] as const;
export type NotificationChannel = (typeof notificationChannels)[number];

export type NotificationFault =
  | "unreachable"
  | "certificate"
  | "login"
  | "nobody"
  | "refused"
  | "redirect"
  | "later"
  | "slow"
  | "other";

/** The result of sending a notification, as public.settle_notification (supabase/migrations) stores it. */
export type SendResult =
  | { isSent: true }
  | { isSent: false; fault: NotificationFault; reply?: string };

export interface Notifications {
  /** Those that this process sends through. */
  channels: readonly NotificationChannel[];
  wake(): void;
  /** How many could not be sent since the start, tests included. */
  failed(): number;
  /** Sends a test notification now and stores its result for the account page. */
  test(channel: NotificationChannel, to: string): Promise<SendResult>;
}

/** Counts views of the contact page and taps on its links, in memory: numbers by day, no visitors. */
export interface Counters {
  /** Counts a view, unless its headers show a program or a prefetch. */
  countView(headers: IncomingHttpHeaders): void;
  /** Counts a tap on a link. Other names are ignored. */
  countTap(name: string): void;
  /** What was counted and is not stored yet. */
  readonly unsaved: ReadonlyMap<string, number>;
  /** Adds what was counted to the stored numbers. Never rejects. */
  save(): Promise<void>;
}

/** The owner's days off, in memory: pages and mails say them without asking the database. */
export interface Absences {
  /** The oldest first. It is another array only if it differs. */
  readonly list: readonly Absence[];
  /** Reads them again, and tells pages and boards if they differ. Never rejects. */
  read(): Promise<void>;
}

/** What a live site lacks: own content, or a setting. */
export type Lack =
  | Placeholder
  | "SMTP_URL"
  | "BACKUP_DIR"
  | "BACKUP_PASSPHRASE"
  | "NOTIFICATION_URL";

export interface SheetColumn {
  heading: string;
  /** In digits. */
  width: number;
  /** A text of one line, one that is written from left to right, one of several lines, or a time as ISO 8601. */
  kind: "text" | "latin" | "lines" | "time";
}

/** The sheet of an .xlsx file. */
export interface Sheet {
  name: string;
  columns: SheetColumn[];
  rows: (string | null)[][];
}

/** What the site's pages are given when the server starts. */
export interface Site {
  backend: Backend;
  notifications: Notifications;
  counters: Counters;
  absences: Absences;
  /** Makes an .xlsx file. Rejects if there is not enough memory. */
  makeWorkbook(sheet: Sheet): Promise<Uint8Array<ArrayBuffer>>;
  /** Those of the content, by their file's name. */
  pictures: ReadonlyMap<string, PictureFile>;
  /** The site's URL, without a path. */
  url: URL;
  secure: boolean;
  /** Empty unless the site has an https address. */
  lacks: readonly Lack[];
}
