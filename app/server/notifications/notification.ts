import { z } from "zod";
import { counted, type PluralForms } from "#app/lib/arabic-plural.ts";
import { storedFields } from "#app/models/message-fields.server.ts";
import type { SendResult } from "#app/site-contract.server.ts";

export const notifiedSchema = z.object({
  id: z.uuid(),
  ...storedFields,
  created_at: z.string(),
});
export type NotifiedMessage = z.infer<typeof notifiedSchema>;

export interface Notification {
  /** A repeat of the same messages has the same value. */
  id: string;
  to: string | null;
  /** The number of messages that it announces; 0 in a test. */
  messages: number;
  newest: NotifiedMessage[];
}

/** Sends a notification until `signal` aborts. Never rejects. */
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

/** «٣ رسائل جديدة من موقعك» */
export const titleOf = (messages: number): string =>
  messages === 0 ? "تنبيه تجريبي من موقعك" : `${newMessagesText(messages)} من موقعك`;

/** Where a notification leads: one message is open on the board. */
export const linkOf = ({ messages, newest: [first] }: Notification, site: URL): string =>
  onBoard(site, messages === 1 ? first : undefined);

/** The address of the board, and of a message that it shows open. */
export const onBoard = (site: URL, message?: NotifiedMessage): string =>
  new URL(message ? `/admin?open=${message.id}` : "/admin", site).href;
