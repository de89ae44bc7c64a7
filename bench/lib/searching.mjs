// Measures a whole search, in a process of its own: candidates are made, compared with earlier ones, compiled, evaluated and archived. It
// prints JSON: the CPU time and the wall time of an evaluation in microseconds, the mean number of nodes, and the loss of the best
// program.
//   node searching.mjs ROWS EVALUATIONS WORKERS [ITERATIONS]

import { table } from "@mm-ptx/ast/f32";
import { astSpace, columnsEvaluator, evolve, gridArchive, measures, Search } from "@mm-ptx/search";
import { INPUTS } from "./data-programs.mjs";
import { generator } from "./random.mjs";

const [, , rowsText, evaluationsText, workersText, iterationsText = "0"] = process.argv;
const rows = Number(rowsText);
const evaluations = Number(evaluationsText);
const workers = Number(workersText);
const iterations = Number(iterationsText);
/** So that programs have 24 nodes on average. */
const MOST_NODES = 41;

const random = generator(11);
const inputs = Array.from({ length: INPUTS }, (_, index) => `x${index}`);
const columns = inputs.map(() => Float32Array.from({ length: rows }, () => 4 * random() - 2));
const target = Float64Array.from({ length: rows }, (_, row) => {
  const [a, b, c, d, e] = columns.map((column) => column[row]);
  return a * b + Math.sin(c) + 0.7 * d * d - e / (1.5 + a * a);
});
const space = astSpace(table, { inputs, operators: ["+", "-", "*", "/"], maxLength: MOST_NODES });
const search = new Search({
  space,
  archive: gridArchive({
    axes: [
      { name: "complexity", min: 1, max: MOST_NODES },
      { name: "constants", min: 0, max: 7 },
    ],
  }),
  emitters: [evolve()],
  evaluator: columnsEvaluator({
    ...{ space, columns, loss: { kind: "mse", target }, workers },
    measures: [measures.complexity(), measures.constants()],
    ...(iterations > 0 && { tuning: [{ method: "lm", iterations }] }),
  }),
  ...{ seed: 1, batchSize: 2000, ahead: 1 },
});
// Until everything is compiled.
for await (const event of search.run({ evaluations: evaluations / 10 })) void event;
const before = search.evaluations;
const cpu = process.cpuUsage();
const began = performance.now();
let words = 0;
let candidates = 0;
for await (const event of search.run({ evaluations })) {
  if (event.type !== "batch") continue;
  words += event.batch.candidates.genomes.end;
  candidates += event.batch.candidates.count;
}
const { user, system } = process.cpuUsage(cpu);
const count = search.evaluations - before;
console.log(
  JSON.stringify({
    microseconds: (user + system) / count,
    wall: ((performance.now() - began) * 1000) / count,
    nodes: words / 2 / candidates,
    loss: -search.archive.objective(search.archive.best),
  }),
);
process.exit(0);
