import { Agent } from "node:https";
import { z } from "zod";
import { log } from "#app/lib/log.server.ts";
import type { Backend, SendResult } from "#app/site-contract.server.ts";
import { isPublic, lookupOnly } from "./lookup.ts";
import type { Notification, Send } from "./notification.ts";
import { post, resultOfError, resultOfStatus } from "./post.ts";
import type { PushKeys } from "./push-keys.ts";
import { pushText } from "./push-text.ts";

interface PushChannel {
  keys: PushKeys;
  site: URL;
  hasBody: boolean;
  callAsSite: Backend["callAsSite"];
  agent: Agent;
}

/** The browser chooses the push service's address, so private networks are refused (SSRF). */
export const publicAgent = new Agent({ lookup: lookupOnly(isPublic) });

const ttlSeconds = 86_400;

const targetsSchema = z.array(
  z.object({
    id: z.string(),
    // A name, not an IP address: Node calls `lookup`, which refuses addresses, for names only.
    endpoint: z.url({ protocol: /^https$/, hostname: /\.[a-z][a-z0-9-]*$/ }),
    p256dh: z.string(),
    auth: z.string(),
  }),
);
type Target = z.infer<typeof targetsSchema>[number];

type DeviceResult = SendResult | { outcome: "gone" };

/** Sends a notification to all devices in parallel. It counts as sent if one device's service took it. */
export function pushChannel({ keys, site, hasBody, callAsSite, agent }: PushChannel): Send {
  const contact = new URL(`https://${site.host}`);
  if (contact.hostname === "localhost") {
    // web-push warns about localhost on the console, beside our log.
    contact.hostname = "127.0.0.1";
  }
  const vapidDetails = { subject: contact.origin, ...keys };

  async function sendTo(
    target: Target,
    notification: Notification,
    signal: AbortSignal,
  ): Promise<DeviceResult> {
    const { endpoint, p256dh, auth } = target;
    const text = pushText(notification, site, hasBody);
    // Loaded on demand: it takes 13 MB, and a site may have no device.
    const { default: webPush } = await import("web-push");
    try {
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        text,
        // The service replaces a queued push of the same topic.
        {
          vapidDetails,
          TTL: ttlSeconds,
          urgency: "high",
          topic: notification.id.replaceAll("-", ""),
        },
      );
      const status = await post({ target: new URL(endpoint), headers, body, agent, signal });
      return status === 404 || status === 410 ? { outcome: "gone" } : resultOfStatus(status);
    } catch (error) {
      const isNoKey =
        (error as NodeJS.ErrnoException).code === "ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY";
      return isNoKey ? { outcome: "gone" } : resultOfError(error);
    }
  }

  return async (notification, signal) => {
    const targets = targetsSchema.parse(await callAsSite("push_targets", {}));
    const results = await Promise.all(
      targets.map(async (target) => {
        const result = await sendTo(target, notification, signal);
        logResult(target, result);
        return { id: target.id, result };
      }),
    );
    const ids = results.filter(({ result }) => result.outcome === "gone").map(({ id }) => id);
    if (ids.length > 0) {
      await callAsSite("expire_push", { ids }).catch(() =>
        log.warn("Which devices take no notifications was not stored"),
      );
    }
    return resultOf(results.map(({ result }) => result));
  };
}

function resultOf(results: DeviceResult[]): SendResult {
  const rest = results.filter((result) => result.outcome !== "gone");
  for (const outcome of ["sent", "unknown", "retry"]) {
    const found = rest.find((result) => result.outcome === outcome);
    if (found) {
      return found;
    }
  }
  return rest[0] ?? { outcome: "refused", fault: "gone" };
}

function logResult({ endpoint }: Target, result: DeviceResult): void {
  const service = new URL(endpoint).host;
  if (result.outcome === "gone") {
    log.info("A device takes no notifications any more", { service });
  } else if (result.outcome !== "sent") {
    log.warn("A device did not take a notification", { service, ...result });
  }
}
