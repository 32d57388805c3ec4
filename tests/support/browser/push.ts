import type { BrowserContext, Page } from "playwright/test";
import { newSubscription } from "#tests/support/push-device.ts";

export type Answer = "granted" | "denied" | "default" | "no service";

/**
 * Replaces what Chromium lacks in tests: a user who answers the permission prompt with `answer`, and the
 * browser vendor's push service. Everything else is real.
 */
export async function standInForPushService(context: BrowserContext, answer: Answer = "granted") {
  const { p256dh, auth } = newSubscription();
  await context.addInitScript(replacePush, { answer, keys: { p256dh, auth } });
}

/** Turns this device on from the account page, with the account's password. */
export async function turnPushOn(page: Page, password: string): Promise<void> {
  await page.getByRole("link", { name: "تشغيل تنبيهات هذا الجهاز" }).press("Enter");
  await page.getByLabel("كلمة المرور الحالية").fill(password);
  await page.getByRole("button", { name: "تشغيل التنبيهات" }).press("Enter");
}

interface Stored {
  endpoint: string;
  key: string;
}

/** Runs in the page. Keeps the permission and subscription in local storage. */
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

/**
 * Records notifications. The headless shell shows none, and a full Chromium forgets those that it shows
 * before it has found out that there is no desktop.
 */
const keepShown = `{
  const kept = [];
  const display = registration.showNotification.bind(registration);
  registration.showNotification = async (title, options) => {
    if (Notification.permission === "granted") {
      await display(title, options);
    }
    kept.push(new Map(Object.entries({ title, ...options })));
  };
  registration.getNotifications = async () => kept.map(Object.fromEntries);
}`;

/** Records opened and focused pages: without a user's click Chromium allows neither. */
const keepOpened = `globalThis.opened = [];
clients.openWindow = async (address) => { opened.push("new " + address); };
WindowClient.prototype.focus = async function () { opened.push("focused " + this.url); };`;

/** Returns the page's service worker, with calls to send it pushes and events. */
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
    /** Delivers a payload through the browser's DevTools. */
    push: (data: string) =>
      devtools.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data }),
    shown: () =>
      worker.evaluate<Record<string, unknown>[]>(`registration.getNotifications().then((all) =>
        all.map(({ title, body, lang, dir, tag, data }) => ({ title, body, lang, dir, tag, data })))`),
    /** Dispatches an event to the worker. Returns all pages that it has opened. */
    send: (type: string, details: object) =>
      worker.evaluate<string[]>(`new Promise((resolve, reject) => {
        const waitUntil = (work) => work.then(() => resolve(opened), reject);
        const close = () => undefined;
        const notification = { ...${JSON.stringify(details)}, close };
        const event = new Event(${JSON.stringify(type)});
        dispatchEvent(Object.assign(event, { waitUntil, notification }));
      })`),
  };
}
