// Whether candidates that a model chose are better than those that chance chose in the same batches: the test of Mann and Whitney.

/** Why a candidate was evaluated. */
export const enum Reason {
  /** Nothing was screened in its batch. */
  unscreened = 0,
  model = 1,
  chance = 2,
}

/** The least number of random candidates. */
const LEAST = 10;
/** How many deviations better the chosen ones have to be. */
const SURE = 3;

/**
 * @param pairs a prediction, what came, and a `Reason`, for one candidate after the other
 * @param width the numbers of a candidate
 */
export function isChosenBetter(pairs: Float64Array, width: number): boolean {
  const found: { truth: number; isChosen: boolean }[] = [];
  let chosen = 0;
  for (let at = 0; at < pairs.length; at += width) {
    const reason = pairs[at + 2];
    if (reason === Reason.unscreened) continue;
    if (reason === Reason.model) chosen++;
    found.push({ truth: pairs[at + 1]!, isChosen: reason === Reason.model });
  }
  const random = found.length - chosen;
  if (random < LEAST || chosen < LEAST) return false;
  found.sort((a, b) => a.truth - b.truth);
  let ranks = 0;
  for (let start = 0; start < found.length; ) {
    let end = start + 1;
    while (end < found.length && found[end]!.truth === found[start]!.truth) end++;
    // Equal ones share the mean of their ranks.
    for (let index = start; index < end; index++) if (found[index]!.isChosen) ranks += (start + end + 1) / 2;
    start = end;
  }
  const wins = (ranks - (chosen * (chosen + 1)) / 2) / (chosen * random);
  const deviation = Math.sqrt((chosen + random + 1) / (12 * chosen * random));
  return wins - 0.5 > SURE * deviation;
}
