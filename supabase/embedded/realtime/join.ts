import { z } from "zod";
import { parseBinding } from "./bindings.ts";
import { closeChannel, sendSystem, topicPrefix } from "./channel.ts";
import { identityOfRole, identityOfToken } from "./identity.ts";
import type { Binding, Channel, Connection, Context, Identity, Message } from "./types.ts";

const joinSchema = z.object({
  access_token: z.string().nullish(),
  config: z.object({ postgres_changes: z.array(z.unknown()).nullish() }).nullish(),
});
// Entries are counted before they are parsed: thousands of malformed ones are expensive too.
const entriesSchema = z.array(z.record(z.string(), z.unknown()));
const tokenSchema = z.object({ access_token: z.string() });

/** Handles a phx_join (CONTRACT.md, "Join"). Every commit after the reply is delivered. */
export async function join(
  message: Message,
  connection: Connection,
  context: Context,
): Promise<void> {
  const { channels, feed, limits, limitReached } = context;
  const refuse = (reason: string) => connection.reply(message, "error", { reason });
  const { topic, joinRef } = message;
  if (!topic.startsWith(topicPrefix)) {
    return refuse("unmatched topic");
  }
  if (topic === topicPrefix) {
    return refuse("TopicNameRequired: You must provide a topic name");
  }
  const replaced = connection.channels.get(topic);
  if (replaced) {
    closeChannel(replaced, channels);
  }
  if (connection.channels.size >= limits.channelsPerSocket) {
    limitReached("realtimeChannels");
    return refuse("ChannelRateLimitReached: Too many channels");
  }

  const payload = joinSchema.safeParse(message.payload);
  if (!payload.success) {
    return refuse("InvalidJoinPayload: The parameters are malformed");
  }
  const sent = (payload.data.config?.postgres_changes ?? []).filter((entry) => entry !== null);
  if (sent.length > limits.bindingsPerChannel) {
    limitReached("realtimeBindings");
    return refuse("ChannelRateLimitReached: Too many postgres_changes");
  }
  const { data: entries } = entriesSchema.safeParse(sent);
  if (!entries) {
    return refuse("InvalidJoinPayload: The parameters are malformed");
  }
  const token = payload.data.access_token;
  const identity =
    !token || isApiKey(token)
      ? identityOfRole(connection.role)
      : await identityOfToken(token, context);
  if (typeof identity === "string") {
    return refuse(identity);
  }

  const parsed = entries.map((entry, index) => parseBinding(index + 1, entry));
  const valid = parsed.filter((binding) => typeof binding !== "string");
  const malformed =
    parsed.find((binding) => typeof binding === "string") ??
    filterLimitError(valid, connection, context);
  const error = feed.isActive()
    ? (malformed ?? (await subscriptionError(valid, identity, context)))
    : undefined;
  if (!connection.isOpen()) {
    return;
  }
  if (!feed.isActive()) {
    return refuse("UnableToConnectToProject: The database cannot be reached");
  }

  const channel: Channel = {
    topic,
    joinRef,
    connection,
    identity,
    requested: malformed === undefined ? valid : [],
    bindings: error === undefined ? valid : [],
  };
  connection.channels.set(topic, channel);
  channels.add(channel);
  connection.reply(message, "ok", {
    postgres_changes: entries.map((entry, index) => ({ ...entry, id: index + 1 })),
  });
  if (entries.length > 0) {
    reportSubscription(channel, error);
  }
}

/** Handles an access_token message (CONTRACT.md, "Tokens"). */
export async function handleAccessToken(
  payload: unknown,
  channel: Channel,
  context: Context,
): Promise<void> {
  const token = tokenSchema.safeParse(payload).data?.access_token;
  if (token === undefined || isApiKey(token) || token === channel.identity.token) {
    return;
  }
  const identity = await identityOfToken(token, context);
  if (!context.channels.has(channel)) {
    return;
  }
  if (typeof identity === "string") {
    return closeChannel(channel, context.channels, identity);
  }
  const isSameRole = identity.role === channel.identity.role;
  channel.identity = identity;
  if (channel.requested.length === 0) {
    return;
  }
  if (isSameRole && channel.bindings.length > 0) {
    return reportSubscription(channel, undefined);
  }
  channel.bindings = [];
  const error = await subscriptionError(channel.requested, identity, context);
  if (!context.channels.has(channel)) {
    return;
  }
  if (error === undefined) {
    channel.bindings = channel.requested;
  }
  reportSubscription(channel, error);
}

/** Clients without a signed-in user send their API key as the token. */
function isApiKey(token: string): boolean {
  return token.startsWith("sb_");
}

function filterLimitError(
  added: Binding[],
  { channels }: Connection,
  { limits, limitReached }: Context,
): string | undefined {
  const requested = [...channels.values()].flatMap((channel) => channel.requested);
  const filters = [...requested, ...added].flatMap((binding) => binding.filters);
  const characters = filters.reduce((sum, { value }) => sum + value.length, 0);
  if (filters.length <= limits.filtersPerSocket && characters <= limits.filterCharactersPerSocket) {
    return undefined;
  }
  limitReached("realtimeFilters");
  return "Unable to subscribe to changes: too many filters on this socket";
}

async function subscriptionError(
  bindings: Binding[],
  { role }: Identity,
  { feed }: Context,
): Promise<string | undefined> {
  for (const binding of bindings) {
    const error = await feed.subscriptionError(binding, role);
    if (error !== undefined) {
      return `Unable to subscribe to changes: ${error}`;
    }
  }
  return undefined;
}

function reportSubscription(channel: Channel, error: string | undefined): void {
  if (error === undefined) {
    sendSystem(channel, "postgres_changes", "ok", "Subscribed to PostgreSQL");
  } else {
    sendSystem(channel, "postgres_changes", "error", error);
  }
}
