import { proved, signIn } from "./auth-server.ts";
import type { NotificationsServer } from "./notifications.ts";
import { newPushDevice, type PushDevice } from "./push-device.ts";

/** Subscribes a new device of the owner, with a session of its own. */
export async function subscribe(server: NotificationsServer, device = newPushDevice()) {
  const { client } = await signIn(server.server, server.owner);
  const { error } = await (await proved(client)).rpc("save_push_subscription", device.subscription);
  if (error) {
    throw error;
  }
  return device;
}

/** Returns the devices on the owner's account page, oldest first. */
export async function devicesOf(client: NotificationsServer["client"]): Promise<{ id: string }[]> {
  const { data, error } = await client.rpc("push_subscriptions");
  if (error) {
    throw error;
  }
  return data;
}

/** Decrypts a body and returns its notification. Throws if Safari would not show it. */
export function shownOn(device: PushDevice, body: Buffer | undefined) {
  const { web_push: marker, notification } = JSON.parse(device.open(body ?? Buffer.of()));
  if (marker !== 8030) {
    throw new Error("Safari would not show it");
  }
  return notification;
}
