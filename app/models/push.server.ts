import { dataOf } from "./data-of.server.ts";
import { longDate } from "./date.server.ts";
import type { Supabase } from "./supabase.ts";

/** The devices with push notifications. The caller must own the inbox. @throws {Response} */
export async function readPushDevices(supabase: Supabase) {
  const devices = dataOf(
    await supabase.rpc("push_subscriptions"),
    "The devices with notifications were not read",
  );
  return devices.map(({ id, session_id: session, is_current: isCurrent, created_at: since }) => ({
    id,
    session,
    isCurrent,
    since,
    date: longDate(since),
  }));
}

export type PushDevice = Awaited<ReturnType<typeof readPushDevices>>[number];

/** A browser's push subscription (RFC 8030, RFC 8291); the keys are base64url. */
interface PushAddress {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** Stores this session's subscription. Returns what was refused, if anything. @throws {Response} */
export async function savePush(
  supabase: Supabase,
  address: PushAddress,
): Promise<"address" | "devices" | "proof" | undefined> {
  const result = await supabase.rpc("save_push_subscription", { ...address });
  if (result.status === 400) {
    return "address";
  }
  if (result.status === 403) {
    return "proof";
  }
  if (result.status === 409) {
    return "devices";
  }
  dataOf(result, "A device was not stored for notifications");
  return undefined;
}

/** Deletes the push subscription of one of the caller's devices. @throws {Response} */
export async function endPush(supabase: Supabase, id: string): Promise<void> {
  dataOf(
    await supabase.rpc("delete_push_subscription", { id }),
    "The notifications of a device were not ended",
  );
}
