// When a barrier is complete (PTX ISA, bar): both engines count alike.

const LANES = 32;

/** What is the matter with the operands of a barrier; undefined when nothing is. */
export function barrierProblem(barrier: number, count: number | undefined): string | undefined {
  if (barrier >= BARRIERS) return `barrier ${barrier}, of which there are 0 to ${BARRIERS - 1}`;
  if (count !== undefined && (count % LANES !== 0 || count === 0)) {
    return `${count} threads at barrier ${barrier}, which is no multiple of ${LANES}`;
  }
  return undefined;
}

const BARRIERS = 16;

/**
 * Whether enough threads of a block have come to a barrier.
 *
 * @param threads of the block
 * @param count of threads that the barrier is for; undefined for all that have not exited
 */
export function isBarrierComplete(
  threads: number,
  count: number | undefined,
  isHere: (thread: number) => boolean,
  hasExited: (thread: number) => boolean,
): boolean {
  let arrived = 0;
  for (let first = 0; first < threads; first += LANES) {
    let present = 0;
    let missing = 0;
    for (let thread = first; thread < Math.min(first + LANES, threads); thread++) {
      if (isHere(thread)) present++;
      else if (!hasExited(thread)) missing++;
    }
    if (count === undefined && missing > 0) return false;
    // A warp all of whose threads came or have exited counts whole, also when it is short. Who arrived may exit afterwards.
    arrived += missing === 0 && present > 0 ? LANES : present;
  }
  return count === undefined || arrived >= count;
}
