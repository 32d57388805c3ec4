const board = `${origin}/admin`;

addEventListener("push", (event) => {
  const shown = show(event.data).catch(() => notify("رسالة جديدة"));
  event.waitUntil(shown);
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(renew(event));
});

/** Browsers with Declarative Web Push show the same payload themselves. */
async function show(payload) {
  const { title, navigate, ...options } = payload.json().notification;
  if (typeof title !== "string" || title === "") {
    throw new TypeError("There is no title.");
  }
  await notify(title, { ...options, data: navigate });
}

function notify(title, options) {
  const always = { lang: "ar", dir: "rtl", icon: "/icon-192.png" };
  return registration.showNotification(title, { ...always, ...options });
}

/** Opens a page of this site, or focuses it if it is open. */
async function open(target) {
  const isOwn = typeof target === "string" && target.startsWith(`${origin}/`);
  const address = isOwn ? target : board;
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find(({ url }) => url.split("#", 1)[0] === address);
  await (page ? page.focus() : clients.openWindow(address));
}

/** Stores the new subscription while the session lasts; else the account page shows notifications as off. */
async function renew({ oldSubscription, newSubscription }) {
  const subscription =
    newSubscription ??
    (oldSubscription && (await registration.pushManager.subscribe(oldSubscription.options)));
  if (subscription) {
    const { endpoint, keys } = subscription.toJSON();
    const form = new URLSearchParams({ "push-renew": "", endpoint, ...keys });
    await fetch("/account", { method: "POST", body: form, redirect: "manual" });
  }
}
