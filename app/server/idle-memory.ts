import { Session } from "node:inspector/promises";
import { performance } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";

// The process is idle if its event loop was busy for less of the interval than this.
const idleShare = 0.05;
// The heap is collected if it grew by this factor since the last collection.
const growth = 2;

/**
 * Collects garbage when the process is idle and its heap has grown, which it checks every
 * `intervalMs`. V8 collects only during allocations, so it would keep the memory of a past crowd.
 * HeapProfiler.collectGarbage (Chrome DevTools Protocol) stops the process for about 0.1 s.
 */
export function giveMemoryBackWhenIdle(intervalMs: number): void {
  let utilization = performance.eventLoopUtilization();
  let heldBytes = 0;
  const look = async () => {
    const since = performance.eventLoopUtilization(utilization);
    utilization = performance.eventLoopUtilization();
    if (since.utilization > idleShare) {
      return;
    }
    if (getHeapStatistics().total_heap_size < heldBytes * growth) {
      return;
    }
    await collectGarbage();
    heldBytes = getHeapStatistics().total_heap_size;
  };
  setInterval(look, intervalMs).unref();
}

async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.collectGarbage");
  session.disconnect();
}
