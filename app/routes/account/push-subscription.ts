/** Whether this browser has push notifications, or why it cannot. */
export type PushState = "insecure" | "ios" | "unsupported" | "denied" | "off" | "on";

/** @param key the site's public key (`pushKeys`) */
export async function readPushState(key: string): Promise<PushState> {
  if (!window.isSecureContext) {
    return "insecure";
  }
  if (!("serviceWorker" in navigator) || !("PushManager" in window)) {
    return isIos() ? "ios" : "unsupported";
  }
  if (Notification.permission === "denied") {
    return "denied";
  }
  const subscription = await ownSubscription();
  return subscription && keyOf(subscription) === key ? "on" : "off";
}

export type PushFields = Record<"endpoint" | "p256dh" | "auth", string>;

/** Asks for permission (Safari: only in a click); undefined if denied. Rejects if it fails. */
export async function subscribe(key: string): Promise<PushFields | undefined> {
  if ((await Notification.requestPermission()) !== "granted") {
    return undefined;
  }
  await navigator.serviceWorker.register("/sw.js");
  const { pushManager } = await navigator.serviceWorker.ready;
  // An existing subscription may have another key.
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: key,
  });
  const { endpoint = "", keys: { p256dh = "", auth = "" } = {} } = subscription.toJSON();
  return { endpoint, p256dh, auth };
}

/** Ends the browser's subscription. The form deletes it in the database. */
export async function unsubscribe(): Promise<void> {
  await (await ownSubscription())?.unsubscribe();
}

async function ownSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return registration ? registration.pushManager.getSubscription() : null;
}

function keyOf({ options: { applicationServerKey: key } }: PushSubscription): string {
  const bytes = String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer()));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The User-Agent of an iPad is a Mac's. */
function isIos(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iP(hone|ad|od)/.test(userAgent) || (/Mac/.test(userAgent) && maxTouchPoints > 1);
}
