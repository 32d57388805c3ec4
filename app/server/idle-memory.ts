import { Session } from "node:inspector/promises";
import { performance } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";

// The process is idle if its event loop was busy for less of the interval than this.
const idleShare = 0.05;
// The heap is collected if it grew by this factor since the last collection.
const growth = 2;

/**
 * Checks every `intervalMs` whether the process is idle and its heap has grown, and then collects
 * garbage. V8 collects during allocations only, so an idle process would keep a peak's memory.
 * HeapProfiler.collectGarbage (Chrome DevTools Protocol) stops the process for about 0.1 s.
 */
export function collectGarbageWhenIdle(intervalMs: number): void {
  let utilization = performance.eventLoopUtilization();
  let lastSize = 0;
  const check = async () => {
    const since = performance.eventLoopUtilization(utilization);
    utilization = performance.eventLoopUtilization();
    if (since.utilization > idleShare) {
      return;
    }
    if (getHeapStatistics().total_heap_size < lastSize * growth) {
      return;
    }
    await collectGarbage();
    lastSize = getHeapStatistics().total_heap_size;
  };
  setInterval(check, intervalMs).unref();
}

async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.collectGarbage");
  session.disconnect();
}
