// Checks of batches before an archive adds them, so that a batch is added whole or not at all.
import type { CodeBatch } from "@mm-ptx/types/code";
import type { Scores } from "../candidates.js";
import { invalid } from "../options.js";
import type { EliteShape } from "./elites.js";

/**
 * Returns the number of words of the longest genome of a batch.
 * @throws SearchError INVALID_ARGUMENT if the scores do not belong to the batch, or a number that is needed is not finite
 */
export function checkBatch({ offsets }: CodeBatch, scores: Scores, shape: EliteShape): number {
  const count = offsets.length - 1;
  const { status, objective, measures } = scores;
  const { dimensions, cases, fields } = shape;
  checkLength("status", status, count);
  checkLength("objective", objective, count);
  checkLength("measures", measures, count * dimensions);
  if (cases > 0) checkLength("cases", scores.cases, count * cases);
  for (const field of fields) checkLength(`fields.${field}`, scores.fields?.[field], count);
  let longest = 0;
  let bad = -1;
  for (let index = 0; index < count; index++) {
    if (status[index] !== 0) continue;
    let valid = Math.abs(objective[index]!) < Infinity;
    for (let at = index * dimensions, end = at + dimensions; at < end; at++) {
      valid &&= Math.abs(measures[at]!) < Infinity;
    }
    if (!valid) {
      bad = index;
      break;
    }
    const length = offsets[index + 1]! - offsets[index]!;
    if (length > longest) longest = length;
  }
  if (bad >= 0) throw notFinite(bad, scores, dimensions);
  return longest;
}

function checkLength(name: string, array: ArrayLike<number> | undefined, least: number): void {
  if (array === undefined) throw invalid(`\`${name}\` in the scores`, undefined);
  if (array.length < least) throw invalid(`${least} elements in \`${name}\``, array.length);
}

function notFinite(index: number, { objective, measures }: Scores, dimensions: number): Error {
  const axis = measures
    .subarray(index * dimensions, (index + 1) * dimensions)
    .findIndex((measure) => !Number.isFinite(measure));
  return Number.isFinite(objective[index])
    ? invalid(
        `a finite measure ${axis} of candidate ${index}, whose status is 0`,
        measures[index * dimensions + axis],
      )
    : invalid(`a finite objective of candidate ${index}, whose status is 0`, objective[index]);
}
