// Checks what evaluators return.
import { describeValue } from "@mm-ptx/types/internal";
import type { Scores } from "../candidates.js";
import { SearchError } from "../error.js";

const wrong = (expected: string, found: unknown): SearchError =>
  new SearchError(
    "EVALUATOR_FAILED",
    `expected ${expected} from the evaluator, found ${typeof found === "string" ? found : describeValue(found)}`,
  );

/**
 * Checks the scores of a batch. Candidates with status 0 whose objective or measures are not finite get the last of the `failures`.
 * @throws SearchError EVALUATOR_FAILED
 */
export function checkScores(
  scores: Scores,
  count: number,
  dimensions: number,
  failures: readonly string[],
): void {
  if (typeof scores !== "object" || scores === null) throw wrong("scores", scores);
  const { status, objective, measures } = scores;
  const checkArray = (
    name: string,
    array: unknown,
    kind: typeof Uint8Array | typeof Float64Array,
    least: number,
  ) => {
    if (!(array instanceof kind)) throw wrong(`\`${name}\` as a ${kind.name}`, array);
    if (array.length < least) throw wrong(`${least} elements in \`${name}\``, `${array.length}`);
  };
  checkArray("status", status, Uint8Array, count);
  checkArray("objective", objective, Float64Array, count);
  checkArray("measures", measures, Float64Array, count * dimensions);
  for (let index = 0; index < count; index++) {
    const each = status[index]!;
    if (each > failures.length) {
      throw wrong(`a status up to ${failures.length} for candidate ${index}`, `${each}`);
    }
    if (each !== 0) continue;
    let isValid = Number.isFinite(objective[index]!);
    for (let axis = 0; axis < dimensions; axis++)
      isValid &&= Number.isFinite(measures[index * dimensions + axis]!);
    if (!isValid) status[index] = failures.length;
  }
}
