import type { Sending } from "#app/lib/notices.ts";

export interface NoticedMessage {
  name: string;
  email: string;
  /** Digits, without the plus sign. */
  phone: string | null;
  message: string;
  created_at: string;
}

export interface Notice {
  /** The same if it is sent again. */
  id: string;
  to: string | null;
  /** How many messages it tells of; none in a test. */
  messages: number;
  newest: NoticedMessage[];
}

/** Sends a notice, unless `signal` ends it before. Rejects if the database fails. */
export type Send = (notice: Notice, signal: AbortSignal) => Promise<Sending>;

/** Whether a connection failed before anything was sent: its certificate, or no TLS at all. */
export const isHandshakeFault = (code = ""): boolean =>
  /CERT|SIGNATURE|HOSTNAME_MISMATCH|WRONG_VERSION_NUMBER|^EPROTO$/.test(code);
