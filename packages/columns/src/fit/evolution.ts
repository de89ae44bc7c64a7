// A (1+1) evolution strategy: a candidate replaces the constants when its loss is smaller. The file is both TypeScript and
// AssemblyScript.
// biome-ignore lint/style/useImportType: AssemblyScript has no imports of types.
import { at, copy, evaluate, Index, isFinite64, put, rounded } from "./problem.js";
import { normal } from "./random.js";

/** The standard deviation of the first candidates, relative to each constant. */
const FIRST_SIZE: number = 0.2;
/** Rechenberg's rule: the size stays the same if one candidate in five is better. */
const GROWTH: number = 1.5;
const DECAY: number = 0.903602003736001;
/** On a plateau, where candidates are neither better nor worse, steps grow until they make a difference. */
const PLATEAU: number = 1.1;
/** With smaller deviations, candidates would equal the constants. */
const LEAST_SIZE: number = 1e-9;
const MOST_SIZE: number = 16.0;

/**
 * Changes the constants, numbers 0 to `count` - 1, so that the loss decreases, and returns the loss. Numbers up to 2 * `count` are
 * overwritten.
 * @param candidates how many to try
 */
export function evolve(count: Index, candidates: Index): number {
  let loss = evaluate(0, -1, Infinity);
  let size = FIRST_SIZE;
  for (let round: Index = 0; round < candidates && count > 0 && size > LEAST_SIZE; round++) {
    let isCandidate = true;
    let isOther = false;
    for (let k: Index = 0; k < count; k++) {
      const x = at(k);
      const scale = x === 0.0 ? 1.0 : Math.abs(x);
      const changed = rounded(x + size * scale * normal());
      put(count + k, changed);
      if (!isFinite64(changed)) isCandidate = false;
      if (changed !== x) isOther = true;
    }
    const tried = isCandidate ? evaluate(count, -1, Infinity) : Infinity;
    if (isFinite64(tried) && (tried < loss || !isFinite64(loss))) {
      loss = tried;
      copy(count, 0, count);
      size = Math.min(size * GROWTH, MOST_SIZE);
    } else if (tried === loss && isOther) {
      size = Math.min(size * PLATEAU, MOST_SIZE);
    } else {
      size *= DECAY;
    }
  }
  return loss;
}
