const board = `${origin}/admin`;

addEventListener("push", (event) => {
  const shown = show(event.data).catch(() => notify("رسالة جديدة"));
  event.waitUntil(shown);
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

// The browser has ended the subscription. Another one needs a proof that the owner is here.
addEventListener("pushsubscriptionchange", (event) => {
  const data = `${origin}/account#notifications`;
  event.waitUntil(notify("توقفت تنبيهات هذا الجهاز", { body: "اضغط لتشغيلها من جديد.", data }));
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

/** Focuses an address of this site where it is open, or opens it; of the board in the tab of one. */
async function open(target) {
  const isOwn = typeof target === "string" && target.startsWith(`${origin}/`);
  const address = isOwn ? target : board;
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const find = (isIt) => pages.find(({ url }) => isIt(url.split("#", 1)[0]));
  // The board keeps an unsaved note in its tab. Pages from before this worker refuse to be led.
  const lead = (page) => page?.navigate(address).catch(() => undefined);
  const page = find((url) => url === address) ?? (isBoard(address) && (await lead(find(isBoard))));
  await (page ? page.focus() : clients.openWindow(address));
}

/** Whether it is the board without a search, a selection or another box. */
const isBoard = (address) => address.replace(/\?open=[\da-f-]+$/, "") === board;
