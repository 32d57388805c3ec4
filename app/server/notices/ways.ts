import type { Agent } from "node:https";
import type { NoticeWay } from "#app/lib/notices.ts";
import type { Env } from "#app/server/settings.ts";
import type { Backend } from "#app/session/site-context.server.ts";
import { mailWay } from "./mail.ts";
import type { Send } from "./notice.ts";
import { pushKeys } from "./push-keys.ts";
import { publicAgent, pushWay } from "./push.ts";
import { webhookWay } from "./webhook.ts";

type Settings = Pick<Env, "SMTP_URL" | "MAIL_FROM" | "NOTICE_URL" | "NOTICE_BODY">;

export interface OpenWays {
  ways: ReadonlyMap<NoticeWay, Send>;
  pushKey: string;
}

/** @param agent connects to push services */
export function openWays(
  env: Settings,
  site: URL,
  { callAsSite, pushSecret }: Pick<Backend, "callAsSite" | "pushSecret">,
  agent: Agent = publicAgent,
): OpenWays {
  const ways = new Map<NoticeWay, Send>();
  const hasBody = env.NOTICE_BODY !== "none";
  if (env.SMTP_URL && env.MAIL_FROM) {
    ways.set("mail", mailWay({ smtpUrl: env.SMTP_URL, from: env.MAIL_FROM, site, hasBody }));
  }
  if (env.NOTICE_URL) {
    const target = new URL(env.NOTICE_URL);
    ways.set("webhook", webhookWay({ target, site, hasBody: env.NOTICE_BODY === "all" }));
  }
  const keys = pushKeys(pushSecret);
  ways.set("push", pushWay({ keys, site, hasBody, callAsSite, agent }));
  return { ways, pushKey: keys.publicKey };
}
