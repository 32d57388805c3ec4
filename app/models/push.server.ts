import { PublicError } from "#app/lib/public-error.ts";
import { longDate } from "./date.server.ts";
import type { Supabase } from "./supabase.ts";

/** The devices with push notices. The caller must own the inbox. @throws {PublicError} */
export async function readPushDevices(supabase: Supabase) {
  const { data, error } = await supabase.rpc("push_subscriptions");
  if (error) {
    throw new PublicError("The devices with notices were not read", error.code);
  }
  return data.map(({ id, session_id: session, is_current: isCurrent, created_at, sent_at }) => ({
    id,
    session,
    isCurrent,
    since: dated(created_at),
    sent: sent_at === null ? undefined : dated(sent_at),
  }));
}

const dated = (time: string) => ({ time, date: longDate(time) });

export type PushDevice = Awaited<ReturnType<typeof readPushDevices>>[number];

/** A browser's push subscription (RFC 8030, RFC 8291); the keys are base64url. */
export interface PushAddress {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** Stores this session's subscription. Returns what was refused, if anything. @throws {PublicError} */
export async function savePush(
  supabase: Supabase,
  address: PushAddress,
): Promise<"address" | "devices" | undefined> {
  const { error, status } = await supabase.rpc("save_push_subscription", { ...address });
  if (error && status !== 400 && status !== 409) {
    throw new PublicError("A device was not stored for notices", error.code);
  }
  return error ? (status === 400 ? "address" : "devices") : undefined;
}

/** Deletes the push subscription of one of the caller's devices. @throws {PublicError} */
export async function endPush(supabase: Supabase, id: string): Promise<void> {
  const { error } = await supabase.rpc("delete_push_subscription", { id });
  if (error) {
    throw new PublicError("The notices of a device were not ended", error.code);
  }
}
