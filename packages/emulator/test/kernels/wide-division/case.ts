import { kernelCase } from "../../support/kernel-case.js";
import { divided, divisionPairs, type Pair, toWords } from "../../support/wide-division.js";

const COUNT = 96;
const pairs: readonly Pair[] = [[1000n, 7n], ...divisionPairs(COUNT - 1, 128)];

export default kernelCase({
  buffers: { pairs: toWords(pairs.flat()), results: new BigUint64Array(8 * COUNT) },
  launches: [
    {
      ...{ kernel: "divide", grid: 2, block: 64 },
      args: [{ buffer: "pairs" }, { buffer: "results" }, { u32: COUNT }],
    },
  ],
  expected: { results: toWords(pairs.flatMap(divided)) },
});
