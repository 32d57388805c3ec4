import { z } from "zod";

/** `vsn` of the socket: 1.0.0 speaks objects, 2.0.0 lists. */
export type Version = 1 | 2;

export interface Message {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  payload: unknown;
}

const Ref = z.string().max(64).nullish();
const Topic = z.string().max(1_000);
const Event = z.string().max(200);
const List = z.tuple([Ref, Ref, Topic, Event, z.unknown()]);
const Entry = z.object({
  join_ref: Ref,
  ref: Ref,
  topic: Topic,
  event: Event,
  payload: z.unknown(),
});

/** Reads a frame from a client (contract section 2). Gives undefined for anything malformed. */
export function decodeMessage(
  version: Version,
  frame: Buffer,
  isBinary: boolean,
): Message | undefined {
  if (isBinary) {
    return version === 2 ? decodePush(frame) : undefined;
  }
  let value: unknown;
  try {
    value = JSON.parse(frame.toString("utf8"));
  } catch {
    return undefined;
  }
  return version === 2 ? fromList(value) : fromEntry(value);
}

/**
 * Reads the envelope of a binary broadcast (kind 3 of realtime-js' serializer: lengths of join
 * ref, ref, topic, event and metadata, then the encoding, then those texts). Its content is not
 * read: nothing here relays broadcasts.
 */
function decodePush(frame: Buffer): Message | undefined {
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
  const read = List.safeParse(value);
  if (!read.success) {
    return undefined;
  }
  const [joinRef = null, ref = null, topic, event, payload] = read.data;
  return { joinRef, ref, topic, event, payload };
}

function fromEntry(value: unknown): Message | undefined {
  const read = Entry.safeParse(value);
  if (!read.success) {
    return undefined;
  }
  const { join_ref: joinRef = null, ref = null, topic, event, payload } = read.data;
  return { joinRef, ref, topic, event, payload };
}

/** Writes a frame to a client. */
export function encodeMessage(version: Version, message: Message): Buffer {
  return encodeRaw(version, { ...message, payload: JSON.stringify(message.payload) });
}

/** Writes a frame whose payload is JSON text already. */
export function encodeRaw(version: Version, message: Message & { payload: string }): Buffer {
  const { joinRef, ref, topic, event, payload } = message;
  const texts = [joinRef, ref, topic, event].map((text) => JSON.stringify(text));
  if (version === 2) {
    return Buffer.from(`[${texts.join(",")},${payload}]`);
  }
  return Buffer.from(
    `{"join_ref":${texts[0]},"ref":${texts[1]},"topic":${texts[2]},"event":${texts[3]},"payload":${payload}}`,
  );
}
