import { counted, type PluralForms } from "#app/lib/arabic-plural.ts";
import type { SendResult } from "#app/site-contract.server.ts";

export interface NotifiedMessage {
  name: string;
  email: string;
  /** Digits, without the plus sign. */
  phone: string | null;
  message: string;
  created_at: string;
}

export interface Notification {
  /** Does not change when the notification is sent again. */
  id: string;
  to: string | null;
  /** The number of messages that it announces; 0 in a test. */
  messages: number;
  newest: NotifiedMessage[];
}

/** Sends a notification until `signal` aborts. Rejects only if the database fails. */
export type Send = (notification: Notification, signal: AbortSignal) => Promise<SendResult>;

/** Whether a Node error code means that the TLS handshake failed, before anything was sent. */
export const isHandshakeFault = (code = ""): boolean =>
  /CERT|SIGNATURE|HOSTNAME_MISMATCH|WRONG_VERSION_NUMBER|^EPROTO$/.test(code);

const newForms: PluralForms = {
  zero: "لا رسائل جديدة",
  one: "رسالة جديدة",
  two: "رسالتان جديدتان",
  few: "رسائل جديدة",
  many: "رسالة جديدة",
  other: "رسالة جديدة",
};

/** «٣ رسائل جديدة» */
export const newMessagesText = (count: number): string => counted(count, newForms);
