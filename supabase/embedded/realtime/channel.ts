import type { Channel } from "./types.ts";

export const topicPrefix = "realtime:";

/** Sends a system message (CONTRACT.md, "System messages"). */
export function sendSystem(
  { connection, joinRef, topic }: Channel,
  extension: string,
  status: "ok" | "error",
  message: string,
): void {
  const channel = topic.slice(topicPrefix.length);
  connection.send({
    joinRef,
    ref: null,
    topic,
    event: "system",
    payload: { extension, status, message, channel },
  });
}

/** Removes the channel and sends phx_close, after which the client does not rejoin. */
export function closeChannel(channel: Channel, channels: Set<Channel>, reason?: string): void {
  if (reason !== undefined) {
    sendSystem(channel, "system", "error", reason);
  }
  remove(channel, channels, "phx_close");
}

/** Removes the channel and sends phx_error, after which the client rejoins. */
export function failChannel(channel: Channel, channels: Set<Channel>, reason: string): void {
  sendSystem(channel, "system", "error", reason);
  remove(channel, channels, "phx_error");
}

function remove(channel: Channel, channels: Set<Channel>, event: "phx_close" | "phx_error"): void {
  const { connection, joinRef, topic } = channel;
  channels.delete(channel);
  connection.channels.delete(topic);
  connection.send({ joinRef, ref: joinRef, topic, event, payload: {} });
}
