import { setImmediate as nextTurn } from "node:timers/promises";
import { type Binding } from "./bindings.ts";
import { type Channel, hasExpired } from "./channel.ts";
import { type Checker, type Verdict } from "./checker.ts";
import { accessOf, eventData } from "./events.ts";
import { type Change } from "./pgoutput.ts";
import { encodeRaw } from "./protocol.ts";
import { type Interest, type Part, partition } from "./question.ts";

/** After so many frames other work of the process gets its turn. */
const FRAMES_PER_TURN = 1_000;

/** What Postgres says of a statement that took longer than statement_timeout. */
const TOO_LONG = "57014";

/**
 * Hands each change of a batch, in order, to the channels that asked for it and whose role and
 * claims may see it. `channels` is read again before each frame: who left gets nothing more.
 * What takes the checker too long is asked in halves, so that subscribers who are slow to judge
 * cost the others time and not their channels. Fails when the checker fails.
 */
export async function deliver(
  batch: Change[],
  ...rest: [
    channels: ReadonlySet<Channel>,
    checker: Checker,
    now: () => number,
    log: (line: string) => void,
  ]
): Promise<void> {
  try {
    await deliverAtOnce(batch, ...rest);
  } catch (error) {
    if ((error as { code?: unknown }).code !== TOO_LONG || batch.length === 1) {
      throw error;
    }
    const half = Math.ceil(batch.length / 2);
    await deliver(batch.slice(0, half), ...rest);
    await deliver(batch.slice(half), ...rest);
  }
}

/** Fails when the checker fails; then nothing of the batch was sent. */
async function deliverAtOnce(
  batch: Change[],
  channels: ReadonlySet<Channel>,
  checker: Checker,
  now: () => number,
  log: (line: string) => void,
): Promise<void> {
  const parts = partition(batch, channels, now());
  const judged = new Map<Part, ReturnType<typeof createSender>>();
  for (const part of new Set(parts.values())) {
    const { question } = part;
    const verdict = await checker.check(question);
    if (!verdict) {
      continue;
    }
    judged.set(part, createSender(part, verdict));
    if (verdict.failed.length > 0) {
      log(
        `Realtime: ${verdict.failed.length} filters or policies of ${question.relation.table} failed (${[...new Set(verdict.failed)].join(", ")}).`,
      );
    }
  }

  let corked = new Set<Channel>();
  let frames = 0;
  const flush = () => {
    for (const channel of corked) {
      channel.uncork();
    }
    corked = new Set();
    frames = 0;
  };
  for (const change of batch) {
    const part = parts.get(change);
    const framesFor = part && judged.get(part);
    if (!framesFor) {
      continue;
    }
    for (const { channel, frame } of framesFor(change)) {
      if (!channels.has(channel) || hasExpired(channel.identity, now())) {
        continue;
      }
      if (!corked.has(channel)) {
        channel.cork();
      }
      corked.add(channel);
      channel.send(frame);
      frames += 1;
    }
    if (frames < FRAMES_PER_TURN) {
      continue;
    }
    flush();
    await nextTurn();
  }
  flush();
}

/** Gives, for a change of the part, the frames to send; equal frames are made once. */
function createSender(part: Part, verdict: Verdict) {
  const seen = verdict.visible.map((list) => new Set(list));
  const passes = (binding: Binding, image: number | undefined) =>
    binding.filters.every((filter) => {
      const place = part.place(filter);
      if (!place || image === undefined) {
        return false;
      }
      return verdict.passed[place.comparison]?.[place.value]?.includes(image) ?? false;
    });

  return function* framesFor(change: Change): Generator<{ channel: Channel; frame: Buffer }> {
    const images = part.images.get(change) ?? { row: undefined, old: undefined };
    const { type } = change;
    const made = new Map<string, string>();
    const once = (key: string, make: () => string) => {
      const text = made.get(key) ?? make();
      made.set(key, text);
      return text;
    };
    const frames = new Map<string, Buffer>();

    for (const { channel, group, bindings } of part.interests) {
      const role = part.question.groups[group]?.role ?? "";
      const access = once(`access ${role}`, () => accessOf(verdict, role, type));
      if (access === "none") {
        continue;
      }
      const checked = access === "rows" && verdict.secured && type !== "DELETE";
      if (checked && !seen[group]?.has(images.row ?? -1)) {
        continue;
      }
      const matching = bindings.filter(
        (binding) =>
          (binding.event === "*" || binding.event === type) &&
          (access === "fault" || passes(binding, type === "DELETE" ? images.old : images.row)),
      );
      for (const [columns, ids] of idsByColumns(matching)) {
        const { version, topic } = channel;
        const key = `${version} ${role} ${columns} ${ids.join(",")} ${topic}`;
        let frame = frames.get(key);
        if (!frame) {
          const select = columns === "*" ? undefined : (JSON.parse(columns) as string[]);
          const data = once(`data ${role} ${columns}`, () =>
            eventData(change, images, verdict, role, select),
          );
          frame = encodeRaw(version, {
            joinRef: null,
            ref: null,
            topic,
            event: "postgres_changes",
            payload: `{"ids":[${ids.join(",")}],"data":${data}}`,
          });
          frames.set(key, frame);
        }
        yield { channel, frame };
      }
    }
  };
}

function idsByColumns(bindings: Interest["bindings"]): Map<string, number[]> {
  const ids = new Map<string, number[]>();
  for (const { id, select } of bindings) {
    const key = select ? JSON.stringify(select) : "*";
    ids.set(key, [...(ids.get(key) ?? []), id]);
  }
  return ids;
}
