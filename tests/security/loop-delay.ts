import { createServer } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";

/**
 * Preloaded into a site's process (`node --import`). Serves on LOOP_DELAY_PORT the maximum time in
 * milliseconds that the event loop was blocked since the last request. `?work=n` first blocks it
 * for about n milliseconds on two idle cores.
 *
 * A busy machine delays the loop too, without CPU time of this thread. Blocking code uses as much
 * CPU time as it blocks, so the smaller of the two is an upper bound.
 */
const histogram = monitorEventLoopDelay({ resolution: 1 });
const settleMs = 5;
let usage = process.threadCpuUsage();

function work(milliseconds: number): number {
  let sum = 0;
  for (let number = 0; number < milliseconds * 500_000; number += 1) {
    sum = (sum * 31 + number) % 1_000_003;
  }
  return sum;
}

// The site's child processes inherit the preload.
if (process.argv[1]?.endsWith("app/server/main.ts")) {
  histogram.enable();
  createServer((request, response) => {
    work(Number(new URL(request.url ?? "", "http://localhost").searchParams.get("work")));
    // The histogram records a delay in a later turn, and starts to measure in another.
    setTimeout(() => {
      const { user, system } = process.threadCpuUsage(usage);
      const blocked = Math.min(histogram.max / 1e6, (user + system) / 1e3);
      histogram.reset();
      setTimeout(() => {
        usage = process.threadCpuUsage();
        response.end(String(blocked));
      }, settleMs);
    }, settleMs);
  }).listen(Number(process.env["LOOP_DELAY_PORT"]), "127.0.0.1");
}
