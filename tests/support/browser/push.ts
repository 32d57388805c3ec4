import type { BrowserContext, Page } from "playwright/test";
import { newPushAddress } from "#tests/support/push-address.ts";

export type Answer = "granted" | "denied" | "default" | "no service";

/**
 * Stands in for what Chromium lacks when it runs for tests: a person who answers its question, and
 * the push service of its maker. Everything else is the browser's own. `answer` is the person's.
 */
export async function standInForPushService(context: BrowserContext, answer: Answer = "granted") {
  const { p256dh, auth } = newPushAddress();
  await context.addInitScript(replacePush, { answer, keys: { p256dh, auth } });
}

interface Stored {
  endpoint: string;
  key: string;
}

/** Runs in the page. What the browser would keep is in its local storage. */
function replacePush({ answer, keys }: { answer: Answer; keys: Record<string, string> }) {
  const permission = () => (localStorage.getItem("permission") ?? "default") as Answer;
  Object.defineProperty(Notification, "permission", { get: permission });
  Notification.requestPermission = async () => {
    localStorage.setItem("permission", answer === "no service" ? "granted" : answer);
    return permission() as NotificationPermission;
  };
  const kept = () => {
    const text = localStorage.getItem("push");
    return text === null ? null : subscriptionOf(JSON.parse(text));
  };
  PushManager.prototype.getSubscription = async () => kept();
  PushManager.prototype.subscribe = async ({ applicationServerKey: key } = {}) => {
    if (answer === "no service" || kept() !== null) {
      throw new DOMException("", answer === "no service" ? "AbortError" : "InvalidStateError");
    }
    const endpoint = `https://push.example.com/${crypto.randomUUID()}`;
    localStorage.setItem("push", JSON.stringify({ endpoint, key }));
    return kept() as PushSubscription;
  };

  function subscriptionOf({ endpoint, key }: Stored): PushSubscription {
    const text = atob(key.replaceAll("-", "+").replaceAll("_", "/"));
    const { buffer } = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    return {
      endpoint,
      expirationTime: null,
      options: { userVisibleOnly: true, applicationServerKey: buffer },
      getKey: () => null,
      toJSON: () => ({ endpoint, keys }),
      async unsubscribe() {
        localStorage.removeItem("push");
        return true;
      },
    };
  }
}

/** Where Chromium has no notifications, as in a headless shell: keeps what it is asked to show. */
const keepShown = `if (Notification.permission !== "granted") {
  const kept = [];
  registration.showNotification = async (title, options) => {
    kept.push(new Map(Object.entries({ title, ...options })));
  };
  registration.getNotifications = async () => kept.map(Object.fromEntries);
}`;

/** Only a person's click lets a worker open and focus pages: keeps what it asks for. */
const keepOpened = `globalThis.opened = [];
clients.openWindow = async (address) => { opened.push("new " + address); };
WindowClient.prototype.focus = async function () { opened.push("focused " + this.url); };`;

/** The page's service worker, with a push service of its own. */
export async function serviceWorkerOf(page: Page) {
  const context = page.context();
  const { origin } = new URL(page.url());
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
  await worker.evaluate(keepShown);
  await worker.evaluate(keepOpened);
  const devtools = await context.newCDPSession(page);
  const registered = Promise.withResolvers<string>();
  devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    for (const { registrationId } of registrations) {
      registered.resolve(registrationId);
    }
  });
  await devtools.send("ServiceWorker.enable");
  const registrationId = await registered.promise;

  return {
    /** The browser's own delivery of a payload. */
    push: (data: string) =>
      devtools.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data }),
    shown: () =>
      worker.evaluate<Record<string, unknown>[]>(`registration.getNotifications().then((all) =>
        all.map(({ title, body, lang, dir, tag, data }) => ({ title, body, lang, dir, tag, data })))`),
    /** Sends the worker an event as the browser does; returns the pages that it opened so far. */
    send: (type: string, details: object) =>
      worker.evaluate<string[]>(`new Promise((resolve, reject) => {
        const waitUntil = (work) => work.then(() => resolve(opened), reject);
        const details = ${JSON.stringify(details)};
        const close = () => undefined;
        const notification = { ...details, close };
        const newSubscription = { toJSON: () => details };
        const event = new Event(${JSON.stringify(type)});
        dispatchEvent(Object.assign(event, { waitUntil, notification, newSubscription }));
      })`),
  };
}
