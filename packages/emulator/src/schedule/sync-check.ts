// The check of synchronization: which faults are about it, and barriers that are complete here although a GPU may carry
// them out differently (PTX ISA, bar: with `.aligned`, all threads of a warp execute the same instruction).
import type { BarrierFault, Fault } from "../run/fault.js";
import { type BlockThreads, ThreadState } from "./block.js";

const LANES = 32;

/** Whether a fault says that threads synchronize in a way that is not allowed. */
export const isSyncFault = (fault: Fault): boolean =>
  fault.kind === "DEADLOCK" || (fault.kind === "TRAP" && fault.sync === true);

type Problem = readonly [kind: BarrierFault["kind"], thread: number, detail: string];

interface BarrierThreads extends Pick<BlockThreads, "place"> {
  /** Whether the barrier at which a thread waits is an aligned one. */
  isAligned(thread: number): boolean;
}

/**
 * @param waiting the threads that have met at a barrier
 * @param states the {@link ThreadState} of each thread of the block
 * @param count the number of threads that the barrier was for; undefined for all of the block
 */
export function barrierProblems(
  waiting: readonly number[],
  states: Int8Array,
  count: number | undefined,
  threads: BarrierThreads,
): Problem[] {
  const problems: Problem[] = [];
  const firsts = new Map<number, number>();
  for (const thread of waiting) {
    const warp = Math.floor(thread / LANES);
    const first = firsts.get(warp);
    if (first === undefined) firsts.set(warp, thread);
    else if (threads.isAligned(thread) && threads.place(first) !== threads.place(thread)) {
      problems.push([
        "DIVERGENT_BARRIER",
        thread,
        `lane ${thread % LANES} at another barrier than lane ${first % LANES} of its warp`,
      ]);
      firsts.set(warp, thread);
    }
  }
  const exited = count === undefined ? states.filter((state) => state === ThreadState.EXITED).length : 0;
  if (exited > 0)
    problems.push([
      "EXITED_THREADS",
      waiting[0]!,
      `${exited} of ${states.length} that had exited before the barrier`,
    ]);
  return problems;
}
