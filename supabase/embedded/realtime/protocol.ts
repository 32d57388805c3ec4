import { z } from "zod";

const refSchema = z.string().nullable();
const frameSchema = z.tuple([
  refSchema,
  refSchema,
  z.string(),
  z.enum(["heartbeat", "phx_join", "phx_leave", "access_token"]),
  z.unknown(),
]);

export interface Message {
  joinRef: string | null;
  ref: string | null;
  topic: string;
}

/** Reads a client's frame `[join_ref, ref, topic, event, payload]`. Throws if it is another one. */
export function decodeFrame(frame: string) {
  const [joinRef, ref, topic, event, payload] = frameSchema.parse(JSON.parse(frame));
  return { joinRef, ref, topic, event, payload };
}

export const encodeFrame = ({ joinRef, ref, topic }: Message, event: string, payload: object) =>
  JSON.stringify([joinRef, ref, topic, event, payload]);
