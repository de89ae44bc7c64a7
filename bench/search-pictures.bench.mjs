// The report of a run with 10,000 elites, which searches write with each snapshot: processor time of its pictures, of its table and of all
// of it. The budget is that of the whole page.

import {
  archiveHeatmap,
  eliteTable,
  historyCurves,
  operatorCredit,
  paretoFront,
  reportHtml,
} from "@mm-ptx/search/pictures";
import { generator } from "./lib/random.mjs";

const SIDE = 100;
const COUNT = SIDE * SIDE;
const BATCHES = 4096;
const TIMES = 512;
const ROUNDS = 21;
/** Milliseconds. */
const BAR = 50;

const random = generator(1);
const rows = {
  count: COUNT,
  cell: Int32Array.from({ length: COUNT }, (_, i) => i),
  objective: Float64Array.from({ length: COUNT }, () => -(10 ** (-6 * random()))),
  measures: Float64Array.from({ length: 2 * COUNT }, (_, i) =>
    i % 2 === 0 ? Math.floor(i / 2 / SIDE) : (i >> 1) % SIDE,
  ),
  serial: Float64Array.from({ length: COUNT }, (_, i) => i),
  genomes: { words: new Uint32Array(0), offsets: new Uint32Array(COUNT + 1) },
  fields: {},
};
const axes = ["length", "inputs"].map((name) => ({ kind: "real", name, from: 0, to: SIDE, cells: SIDE }));
const texts = Array.from({ length: COUNT }, (_, i) => `tanh(x + ${i} * x * (x * x - 5.759021))`);
const value = { negated: true, scale: "log" };
const column = (of) => Float64Array.from({ length: BATCHES }, (_, i) => of(i));
const history = {
  evaluations: column((i) => 1000 * i),
  seconds: column((i) => i / 10),
  qdScore: column((i) => i * random()),
  coverage: column((i) => i / BATCHES),
  best: column((i) => -1 / (i + 1)),
};
const rates = {
  operators: ["insert", "delete", "crossover", "step-constant"],
  candidates: history.evaluations.subarray(0, TIMES),
  rates: new Float64Array(4 * TIMES).fill(0.25),
};

const parts = {
  map: () => archiveHeatmap(rows, axes, { value, texts }),
  course: () => historyCurves(history, { value }),
  front: () => paretoFront(rows, { value, texts }),
  operators: () => operatorCredit(rates),
  table: () => eliteTable(rows, { value, measures: ["length", "inputs"], textOf: (elite) => texts[elite] }),
};
const page = () =>
  reportHtml({
    title: "Search",
    sections: [
      { pictures: [parts.map(), parts.course(), parts.front(), parts.operators()] },
      { table: parts.table() },
    ],
  });

/** Milliseconds: the median of all rounds. */
function time(draw) {
  for (let round = 0; round < 20; round++) draw();
  const rounds = Array.from({ length: ROUNDS }, () => {
    const start = process.cpuUsage();
    draw();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  });
  return rounds.sort((a, b) => a - b)[ROUNDS >> 1];
}

export function run() {
  const plain = (name, draw) => ({ name: `report of 10,000 elites, ${name}`, ours: time(draw), unit: "ms" });
  const ours = time(page);
  return [
    {
      ...{ name: "report of 10,000 elites, all of it", ours, unit: "ms" },
      ...{ yardstick: BAR, ratio: ours / BAR, budget: 1, pass: ours <= BAR },
    },
    ...Object.entries(parts).map(([name, draw]) => plain(name, draw)),
    { name: "report of 10,000 elites, size", ours: page().length / 1024, unit: "KiB" },
  ];
}
