// Chooses the programs that are compiled at full effort.
import { refuse } from "../check.js";
import type { StreamingCompiler } from "../compiling/lane.js";
import type { KernelPipelineOptions } from "../pipeline-options.js";
import type { Reading } from "../reading/reading.js";
import type { PipelineResult } from "../results/result.js";

/** The most scores that a quantile is estimated from. */
const MOST_SCORES = 4096;

/** @throws PipelineError INVALID_ARGUMENT if the option can have no effect */
export function checkFinalists(
  finalists: KernelPipelineOptions["finalists"],
  finalCompiler: StreamingCompiler | undefined,
  { kind }: Reading,
): void {
  if (finalists === undefined) return;
  if (finalCompiler === undefined) throw refuse("expected `finalCompiler` with `finalists`, found none");
  if (typeof finalists !== "function" && (kind === "outputs" || kind === "outputHash"))
    throw refuse(
      `expected a reading whose scores are numbers with a \`quantile\` of \`finalists\`, found \`${kind}\``,
    );
}

/** The test of the option `finalists`; without it, all programs are chosen. */
export function finalistTest(
  finalists: KernelPipelineOptions["finalists"],
): (result: PipelineResult) => boolean {
  if (finalists === undefined) return () => true;
  if (typeof finalists === "function") return (result) => finalists(result);
  const { quantile } = finalists;
  // The last scores, sorted.
  const recent: number[] = [];
  const sorted: number[] = [];
  return ({ score }) => {
    if (typeof score !== "number" || Number.isNaN(score)) return false;
    sorted.splice(lowerBound(sorted, score), 0, score);
    recent.push(score);
    if (recent.length > MOST_SCORES) sorted.splice(lowerBound(sorted, recent.shift()!), 1);
    const last = Math.max(0, Math.ceil(quantile * sorted.length) - 1);
    return score <= sorted[last]!;
  };
}

/** The first place whose value is not below `value`. */
function lowerBound(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
