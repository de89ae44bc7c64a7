// Times short functions with tinybench. Compared functions alternate over several rounds, because the
// machine's speed drifts. The result is the median over the rounds of each round's median.

import { Bench } from "tinybench";

const ROUNDS = 15;
const ITERATIONS = 20;

/**
 * Microseconds per call of each function, in the same order.
 *
 * @param {((call: number) => unknown)[]} functions each receives the number of the call, counted from 0
 * @param {{ calls: number, between?: () => void }} options `calls`: the calls timed together, so that the
 * cost of the clock is negligible; `between`: called between two rounds
 */
export async function medians(functions, { calls, between = () => {} }) {
  const rounds = functions.map(() => []);
  // The first rounds only warm up the engine.
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
