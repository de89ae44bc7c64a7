// Measures how much garbage a call leaves on the heap.
import { PerformanceObserver } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";

const CALLS = 100;
const ROUNDS = 9;
/** Calls before the measurement, in which the engine compiles the code: until then, numbers are allocated. */
const WARMING = 1500;
/** The engine compiles on another thread, which may have to wait for a core: there are pauses between the calls. */
const PARTS = 5;
const PAUSE_MS = 20;

/** Bytes per call: the minimum of several rounds without a garbage collection. */
export async function bytesPerCall(call: () => void, { long = false } = {}): Promise<number> {
  const calls = long ? CALLS / 4 : CALLS;
  const warming = long ? WARMING / 5 : WARMING;
  for (let part = 0; part < PARTS; part++) {
    for (let count = 0; count < warming / PARTS; count++) call();
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  let collections = 0;
  const observer = new PerformanceObserver((list) => {
    collections += list.getEntries().length;
  });
  observer.observe({ entryTypes: ["gc"] });
  const found: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = getHeapStatistics().used_heap_size;
    for (let count = 0; count < calls; count++) call();
    const after = getHeapStatistics().used_heap_size;
    // Collections are reported only in a turn of the event loop.
    const known = collections;
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (collections === known) found.push((after - before) / calls);
  }
  observer.disconnect();
  if (found.length === 0) throw new Error("expected a round without a collection, found none");
  return Math.min(...found);
}
