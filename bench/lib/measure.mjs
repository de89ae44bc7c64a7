// Times of short functions by tinybench. Functions to be compared take turns over several rounds, because the machine's
// speed drifts; what counts of a round is its median, and of the rounds again the median.

import { Bench } from "tinybench";

const ROUNDS = 15;
const ITERATIONS = 20;

/**
 * Microseconds a call of each function, in the order given.
 *
 * @param {((call: number) => unknown)[]} functions each gets the number of the call, counted from 0
 * @param {{ calls: number, between?: () => void }} options calls timed at once, which a clock's own cost is lost in; what
 * to do between two rounds
 */
export async function medians(functions, { calls, between = () => {} }) {
  const rounds = functions.map(() => []);
  // The first rounds only warm the engine up.
  for (let round = -2; round < ROUNDS; round++) {
    const bench = new Bench({ iterations: ITERATIONS, time: 0, warmup: false, throws: true });
    functions.forEach((run, i) => {
      bench.add(String(i), () => {
        for (let call = 0; call < calls; call++) run(call);
      });
    });
    await bench.run();
    if (round < 0) continue;
    bench.tasks.forEach(({ result }, i) => {
      rounds[i].push((result.latency.p50 * 1000) / calls);
    });
    between();
  }
  return rounds.map(median);
}

/** @param {readonly number[]} values */
export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
