import { Session } from "node:inspector/promises";
import { performance } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";

/** Share of the time since the last look that the event loop may have worked to count as idle. */
const idleShare = 0.05;
/** The heap is worth a collection when it is so many times what the last one left of it. */
const growth = 2;

/**
 * Looks every `intervalMs` whether the process is idle and its heap much larger than what it
 * holds, and then gives the memory back to the system. V8 collects only while something is
 * allocated, so after a crowd has left it would keep for good what that crowd needed. The
 * collection stops the process for about 0.1 s, which is why it waits for a moment of rest.
 * The collector is the documented one: HeapProfiler.collectGarbage of the Chrome DevTools
 * Protocol.
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
