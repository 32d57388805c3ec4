import { z } from "zod";
import { type Binding, parseBinding } from "./bindings.ts";
import { type Channel, createChannel, type Identity, PREFIX, removeChannel } from "./channel.ts";
import { type Connection } from "./connection.ts";
import { type Context } from "./context.ts";
import { identityOfRole, identityOfToken } from "./identity.ts";
import { type Message } from "./protocol.ts";

const Join = z.object({
  access_token: z.string().nullish(),
  config: z
    .object({ postgres_changes: z.array(z.record(z.string(), z.unknown()).nullable()).nullish() })
    .nullish(),
});

/**
 * Answers a phx_join (contract section 3). The reply is sent when the subscription is active:
 * whatever commits after it is delivered. Faults in the parameters are told by a system message
 * and leave the channel joined without changes (section 4).
 */
export async function join(
  message: Message,
  connection: Connection,
  context: Context,
): Promise<void> {
  const refuse = (reason: string) => connection.reply(message, "error", { reason });
  const { topic } = message;
  if (!topic.startsWith(PREFIX)) {
    return refuse("unmatched topic");
  }
  if (topic === PREFIX) {
    return refuse("TopicNameRequired: You must provide a topic name");
  }
  const replaced = connection.channels.get(topic);
  if (replaced) {
    removeChannel(replaced, connection, context);
  }
  if (connection.channels.size >= context.limits.channelsPerSocket) {
    return refuse("ChannelRateLimitReached: Too many channels");
  }

  const payload = Join.safeParse(message.payload);
  if (!payload.success) {
    return refuse("InvalidJoinPayload: The parameters are malformed");
  }
  const entries = (payload.data.config?.postgres_changes ?? []).filter((entry) => entry !== null);
  if (entries.length > context.limits.bindingsPerChannel) {
    return refuse("ChannelRateLimitReached: Too many postgres_changes");
  }
  const token = payload.data.access_token;
  const identity =
    !token || token.startsWith("sb_")
      ? identityOfRole(connection.role)
      : await identityOfToken(token, context);
  if (typeof identity === "string") {
    return refuse(identity);
  }

  const parsed = entries.map((entry, index) => parseBinding(index + 1, entry));
  const requested = parsed.filter((binding) => typeof binding !== "string");
  const malformed =
    parsed.find((binding) => typeof binding === "string") ??
    excessOf(requested, connection, context);
  const channel = createChannel(message, identity, requested, connection, context);
  const fault = context.feed.active()
    ? (malformed ?? (await findFault(requested, identity, context)))
    : undefined;
  if (!connection.isOpen()) {
    return;
  }
  if (!context.feed.active()) {
    return refuse("UnableToConnectToProject: The database cannot be reached");
  }

  if (fault === undefined) {
    channel.bindings = requested;
  } else {
    channel.requested = malformed === undefined ? requested : [];
  }
  connection.channels.set(topic, channel);
  context.channels.add(channel);
  connection.reply(message, "ok", {
    postgres_changes: entries.map((entry, index) => ({ ...entry, id: index + 1 })),
  });
  if (entries.length > 0) {
    reportSubscription(channel, fault);
  }
}

/**
 * Takes the token of an access_token message (contract section 7): a new one replaces the claims
 * of the channel, an invalid one closes it, null, the same one and API keys change nothing.
 */
export async function takeToken(
  payload: unknown,
  channel: Channel,
  context: Context,
): Promise<void> {
  const token = (payload as { access_token?: unknown } | null)?.access_token;
  if (typeof token !== "string" || token.startsWith("sb_")) {
    return;
  }
  if (token === channel.identity.token) {
    return;
  }
  const identity = await identityOfToken(token, context);
  if (!context.channels.has(channel)) {
    return;
  }
  if (typeof identity === "string") {
    return channel.close(identity);
  }
  const sameRole = identity.role === channel.identity.role;
  channel.identity = identity;
  if (channel.requested.length === 0) {
    return;
  }
  if (sameRole && channel.bindings.length > 0) {
    return reportSubscription(channel, undefined);
  }
  channel.bindings = [];
  const fault = await findFault(channel.requested, identity, context);
  if (!context.channels.has(channel)) {
    return;
  }
  if (fault === undefined) {
    channel.bindings = channel.requested;
  }
  reportSubscription(channel, fault);
}

/** Why a socket may not have these bindings beside those of its other channels, or undefined. */
function excessOf(
  requested: Binding[],
  { channels }: Connection,
  { limits }: Context,
): string | undefined {
  const bindings = [...channels.values()].flatMap((channel) => channel.requested);
  const filters = [...bindings, ...requested].flatMap((binding) => binding.filters);
  const characters = filters.reduce((sum, { value }) => sum + value.length, 0);
  return filters.length > limits.filtersPerSocket || characters > limits.filterCharactersPerSocket
    ? "Unable to subscribe to changes: too many filters on this socket"
    : undefined;
}

async function findFault(
  bindings: Binding[],
  { role }: Identity,
  context: Context,
): Promise<string | undefined> {
  for (const binding of bindings) {
    const fault = await context.feed.fault(binding, role);
    if (fault !== undefined) {
      return `Unable to subscribe to changes: ${fault}`;
    }
  }
  return undefined;
}

function reportSubscription(channel: Channel, fault: string | undefined): void {
  if (fault === undefined) {
    channel.system("postgres_changes", "ok", "Subscribed to PostgreSQL");
  } else {
    channel.system("postgres_changes", "error", fault);
  }
}
