import { smtpOf } from "#app/server/mail/smtp.ts";
import type { Env } from "#app/server/settings.ts";
import type { Absences, NotificationChannel } from "#app/site-contract.server.ts";
import { mailChannel } from "./mail.ts";
import type { Send } from "./notification.ts";
import { webhookChannel } from "./webhook.ts";

type Settings = Pick<Env, "SMTP_URL" | "MAIL_FROM" | "NOTIFICATION_URL" | "NOTIFICATION_BODY">;

export type Channels = ReadonlyMap<NotificationChannel, Send>;

/** The notification channels of the settings. */
export function openChannels(env: Settings, site: URL, absences: Pick<Absences, "list">): Channels {
  const channels = new Map<NotificationChannel, Send>();
  const send = smtpOf(env);
  if (send) {
    const hasBody = env.NOTIFICATION_BODY !== "none";
    channels.set("mail", mailChannel({ send, site, hasBody, absences }));
  }
  if (env.NOTIFICATION_URL) {
    const target = new URL(env.NOTIFICATION_URL);
    const hasBody = env.NOTIFICATION_BODY === "all";
    channels.set("webhook", webhookChannel({ target, site, hasBody }));
  }
  return channels;
}
