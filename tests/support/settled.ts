import { setTimeout as sleep } from "node:timers/promises";

/** Waits until a figure stays the same for a while. Returns it; never, if it goes on changing. */
export async function settled(read: () => Promise<number>): Promise<number> {
  let last = Number.NaN;
  let figure = await read();
  while (figure !== last) {
    await sleep(500);
    [last, figure] = [figure, await read()];
  }
  return figure;
}
