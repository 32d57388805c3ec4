import { setImmediate as tick } from "node:timers/promises";
import { expect, test } from "vitest";
import { FairQueue } from "./fair-queue.ts";

/** A queue whose works end by hand. `begun` names them in the order in which they began. */
function openQueue(limits: { most: number; mostOfOne: number }) {
  const queue = new FairQueue(limits);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const add = (client: string, name: string) =>
    queue.run(client, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      return name;
    });
  const endOne = async () => {
    ends.shift()?.();
    await tick();
  };
  return { queue, begun, add, endOne };
}

test("a client has a part of the places, and the rest is for others", async () => {
  const { queue, begun, add } = openQueue({ most: 3, mostOfOne: 2 });
  void ["a1", "a2", "a3"].map((name) => add("a", name));
  await tick();
  expect([begun, queue.waiting("a")]).toEqual([["a1", "a2"], 1]);
  void add("b", "b1");
  await tick();
  expect(begun).toEqual(["a1", "a2", "b1"]);
});

test("free places go round the clients: a new one waits for one work of each other", async () => {
  const { begun, add, endOne } = openQueue({ most: 1, mostOfOne: 1 });
  void ["a1", "a2", "a3"].map((name) => add("a", name));
  void add("b", "b1");
  void add("c", "c1");
  for (let ended = 0; ended < 5; ended += 1) {
    await tick();
    await endOne();
  }
  expect(begun).toEqual(["a1", "a2", "b1", "c1", "a3"]);
});

test("a work that fails rejects and frees its place", async () => {
  const queue = new FairQueue({ most: 1, mostOfOne: 1 });
  await expect(queue.run("a", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await queue.run("a", async () => "next")).toBe("next");
});
