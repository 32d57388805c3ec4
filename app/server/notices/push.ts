import { Agent } from "node:https";
import { z } from "zod";
import { log } from "#app/lib/log.server.ts";
import type { Sending } from "#app/lib/notices.ts";
import type { Backend } from "#app/session/site-context.server.ts";
import { isPublic, lookupOnly } from "./lookup.ts";
import type { Notice, Send } from "./notice.ts";
import { post, sendingOfError, sendingOfStatus } from "./post.ts";
import type { PushKeys } from "./push-keys.ts";
import { pushText } from "./push-text.ts";

interface PushWay {
  keys: PushKeys;
  site: URL;
  hasBody: boolean;
  callAsSite: Backend["callAsSite"];
  agent: Agent;
}

/** A browser names its service, and so whom the site calls: nobody in the site's own network. */
export const publicAgent = new Agent({ lookup: lookupOnly(isPublic) });

const keptSeconds = 86_400;

const targetsSchema = z.array(
  z.object({
    id: z.string(),
    // A name: addresses are looked up, and so looked at, for names alone.
    endpoint: z.url({ protocol: /^https$/, hostname: /\.[a-z][a-z0-9-]*$/ }),
    p256dh: z.string(),
    auth: z.string(),
  }),
);
type Target = z.infer<typeof targetsSchema>[number];

type Result = Sending | { outcome: "gone" };

/** Tells all devices at once. One that took the notice is enough. */
export function pushWay({ keys, site, hasBody, callAsSite, agent }: PushWay): Send {
  const contact = new URL(`https://${site.host}`);
  if (contact.hostname === "localhost") {
    // By this name web-push warns on the console, past the log.
    contact.hostname = "127.0.0.1";
  }
  const vapidDetails = { subject: contact.origin, ...keys };

  async function sendTo(target: Target, notice: Notice, signal: AbortSignal): Promise<Result> {
    const { endpoint, p256dh, auth } = target;
    const text = pushText(notice, site, hasBody);
    // Takes 13 MB, and most sites may have no device.
    const { default: webPush } = await import("web-push");
    try {
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        text,
        // A repeat replaces the one that still waits at the service.
        { vapidDetails, TTL: keptSeconds, urgency: "high", topic: notice.id.replaceAll("-", "") },
      );
      const status = await post({ target: new URL(endpoint), headers, body, agent, signal });
      return status === 404 || status === 410 ? { outcome: "gone" } : sendingOfStatus(status);
    } catch (error) {
      const isNoKey =
        (error as NodeJS.ErrnoException).code === "ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY";
      return isNoKey ? { outcome: "gone" } : sendingOfError(error);
    }
  }

  return async (notice, signal) => {
    const targets = targetsSchema.parse(await callAsSite("push_targets", {}));
    const results = await Promise.all(
      targets.map(async (target) => {
        const result = await sendTo(target, notice, signal);
        logResult(target, result);
        return { id: target.id, result };
      }),
    );
    const idsOf = (meant: Result["outcome"]) =>
      results.filter(({ result }) => result.outcome === meant).map(({ id }) => id);
    await callAsSite("settle_push", { told: idsOf("sent"), gone: idsOf("gone") }).catch(() =>
      log.warn("Which devices took a notice was not stored"),
    );
    return sendingOf(results.map(({ result }) => result));
  };
}

function sendingOf(results: Result[]): Sending {
  const rest = results.filter((result) => result.outcome !== "gone");
  for (const outcome of ["sent", "unknown", "retry"]) {
    const found = rest.find((result) => result.outcome === outcome);
    if (found) {
      return found;
    }
  }
  return rest[0] ?? { outcome: "refused", fault: "gone" };
}

function logResult({ endpoint }: Target, result: Result): void {
  const service = new URL(endpoint).host;
  if (result.outcome === "gone") {
    log.info("A device takes no notices any more", { service });
  } else if (result.outcome !== "sent") {
    log.warn("A device did not take a notice", { service, ...result });
  }
}
