// The condition of a branch that all threads of a group take, or none.
import type { Code } from "../binary/code.js";
import { LANES } from "./vectors.js";

/**
 * Pushes whether the branch is taken.
 *
 * @param condition a local with -1 or 0 for each thread
 * @param leave writes code for a group whose threads diverge, which does not continue after it
 */
export function pushIfTogether(code: Code, condition: number, leave: () => void): void {
  const all = 2 ** LANES - 1;
  code.scratch("i32", (mask) => {
    code.get(condition).op("i32x4.bitmask").tee(mask);
    // After adding 1, bits 1 to 3 of the mask are all 0 exactly when none or all of the threads take the branch.
    code
      .i32(1)
      .op("i32.add")
      .i32(all - 1)
      .op("i32.and")
      .if();
    leave();
    code.end().get(mask);
  });
}
