import type { Agent } from "node:https";
import { smtpOf } from "#app/server/mail/smtp.ts";
import type { Env } from "#app/server/settings.ts";
import type { Backend, NotificationChannel } from "#app/site-contract.server.ts";
import { mailChannel } from "./mail.ts";
import type { Send } from "./notification.ts";
import { pushKeys } from "./push-keys.ts";
import { publicAgent, pushChannel } from "./push.ts";
import { webhookChannel } from "./webhook.ts";

type Settings = Pick<Env, "SMTP_URL" | "MAIL_FROM" | "NOTIFICATION_URL" | "NOTIFICATION_BODY">;

export interface OpenChannels {
  channels: ReadonlyMap<NotificationChannel, Send>;
  pushKey: string;
}

/** The notification channels that the settings allow. @param agent connects to push services */
export function openChannels(
  env: Settings,
  site: URL,
  { callAsSite, pushSecret }: Pick<Backend, "callAsSite" | "pushSecret">,
  agent: Agent = publicAgent,
): OpenChannels {
  const channels = new Map<NotificationChannel, Send>();
  const hasBody = env.NOTIFICATION_BODY !== "none";
  const send = smtpOf(env);
  if (send) {
    channels.set("mail", mailChannel({ send, site, hasBody }));
  }
  if (env.NOTIFICATION_URL) {
    const target = new URL(env.NOTIFICATION_URL);
    channels.set(
      "webhook",
      webhookChannel({ target, site, hasBody: env.NOTIFICATION_BODY === "all" }),
    );
  }
  const keys = pushKeys(pushSecret);
  channels.set("push", pushChannel({ keys, site, hasBody, callAsSite, agent }));
  return { channels, pushKey: keys.publicKey };
}
