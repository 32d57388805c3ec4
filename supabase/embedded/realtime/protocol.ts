import { z } from "zod";
import { isDeeperThan } from "#embedded/json-depth.ts";
import { maxFrameDepth } from "./limits.ts";
import type { Message, Serializer } from "./types.ts";

const refSchema = z.string().max(64).nullish();
const topicSchema = z.string().max(1_000);
const eventSchema = z.string().max(200);
const listSchema = z.tuple([refSchema, refSchema, topicSchema, eventSchema, z.unknown()]);
const objectSchema = z.object({
  join_ref: refSchema,
  ref: refSchema,
  topic: topicSchema,
  event: eventSchema,
  payload: z.unknown(),
});

/** Parses a client's frame (CONTRACT.md, "Frames"). Returns undefined if it is malformed. */
export function decodeMessage(
  serializer: Serializer,
  frame: Buffer,
  isBinary: boolean,
): Message | undefined {
  if (isBinary) {
    return serializer === 2 ? decodeBroadcast(frame) : undefined;
  }
  const value = parseJson(frame.toString("utf8"));
  return serializer === 2 ? fromList(value) : fromObject(value);
}

function parseJson(text: string): unknown {
  if (isDeeperThan(text, maxFrameDepth)) {
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses the envelope of kind 3 of realtime-js' serializer. Its content is not relayed. */
function decodeBroadcast(frame: Buffer): Message | undefined {
  if (frame.length < 7 || frame[0] !== 3) {
    return undefined;
  }
  const [joinRefLength = 0, refLength = 0, topicLength = 0] = frame.subarray(1, 4);
  const refStart = 7 + joinRefLength;
  const topicStart = refStart + refLength;
  if (frame.length < topicStart + topicLength) {
    return undefined;
  }
  return {
    joinRef: frame.toString("utf8", 7, refStart) || null,
    ref: frame.toString("utf8", refStart, topicStart) || null,
    topic: frame.toString("utf8", topicStart, topicStart + topicLength),
    event: "broadcast",
    payload: {},
  };
}

function fromList(value: unknown): Message | undefined {
  const parsed = listSchema.safeParse(value);
  if (!parsed.success) {
    return undefined;
  }
  const [joinRef = null, ref = null, topic, event, payload] = parsed.data;
  return { joinRef, ref, topic, event, payload };
}

function fromObject(value: unknown): Message | undefined {
  const parsed = objectSchema.safeParse(value);
  if (!parsed.success) {
    return undefined;
  }
  const { join_ref: joinRef = null, ref = null, topic, event, payload } = parsed.data;
  return { joinRef, ref, topic, event, payload };
}

export function encodeMessage(serializer: Serializer, message: Message): Buffer {
  return encodeRaw(serializer, { ...message, payload: JSON.stringify(message.payload) });
}

/** Encodes a frame whose payload is already JSON text. */
export function encodeRaw(serializer: Serializer, message: Message & { payload: string }): Buffer {
  const { joinRef, ref, topic, event, payload } = message;
  const texts = [joinRef, ref, topic, event].map((text) => JSON.stringify(text));
  return Buffer.from(
    serializer === 2
      ? `[${texts.join(",")},${payload}]`
      : `{"join_ref":${texts[0]},"ref":${texts[1]},"topic":${texts[2]},"event":${texts[3]},"payload":${payload}}`,
  );
}
