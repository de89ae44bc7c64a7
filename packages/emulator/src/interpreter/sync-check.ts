// The check of synchronization: which faults are about it, and barriers that are complete here although a GPU may carry
// them out differently (PTX ISA, bar: with `.aligned`, all threads of a warp execute the same instruction).
import type { BarrierFault, Fault } from "../run/fault.js";
import type { Thread } from "./thread.js";

/** Whether a fault says that threads synchronize in a way that is not allowed. */
export const isSyncFault = (fault: Fault): boolean =>
  fault.kind === "DEADLOCK" || (fault.kind === "TRAP" && fault.sync === true);

type Problem = readonly [kind: BarrierFault["kind"], thread: Thread, detail: string];

/**
 * @param waiting the threads that have met at a barrier
 * @param all the threads of the block
 * @param count the number of threads that the barrier was for; undefined for all of the block
 */
export function barrierProblems(
  waiting: readonly Thread[],
  all: readonly Thread[],
  count: number | undefined,
): Problem[] {
  const problems: Problem[] = [];
  const firsts = new Map<number, Thread>();
  for (const thread of waiting) {
    const first = firsts.get(thread.warp);
    if (first === undefined) firsts.set(thread.warp, thread);
    else if (isAligned(thread) && !isSamePlace(first, thread)) {
      problems.push([
        "DIVERGENT_BARRIER",
        thread,
        `lane ${thread.lane} at another barrier than lane ${first.lane} of its warp`,
      ]);
      firsts.set(thread.warp, thread);
    }
  }
  const exited = count === undefined ? all.filter((thread) => thread.exited).length : 0;
  if (exited > 0)
    problems.push([
      "EXITED_THREADS",
      waiting[0]!,
      `${exited} of ${all.length} that had exited before the barrier`,
    ]);
  return problems;
}

const placeOf = ({ frames }: Thread) => frames.at(-1)!;

const isSamePlace = (one: Thread, other: Thread): boolean =>
  placeOf(one).pc === placeOf(other).pc && placeOf(one).code === placeOf(other).code;

/** `bar` and `barrier.….aligned`. */
function isAligned(thread: Thread): boolean {
  const { code, pc } = placeOf(thread);
  const operation = code.function.instructions[pc - 1]?.operation;
  return operation?.name === "bar" || operation?.words.has("aligned") === true;
}
