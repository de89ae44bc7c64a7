// Measures archives and the loop of a search over vectors, in a process of its own, and prints JSON. Times are CPU time of the process, the
// least of some rounds.
//   node archiving.mjs grid CANDIDATES              microseconds of a candidate, all in one batch, in a grid of 1,000 x 1,000
//   node archiving.mjs cvt CELLS CANDIDATES         seconds that an archive takes to be made, microseconds of a candidate
//   node archiving.mjs loop DIMENSIONS BATCH COUNT  microseconds of a candidate of iso+line, without evaluation

import { cvtArchive, gridArchive, isoLine, Search, vectorSpace } from "@mm-ptx/search";
import { generator } from "./random.mjs";

const ROUNDS = 7;
const [what, ...texts] = process.argv.slice(2);
const random = generator(1);
const doubles = (length, least = 0) => Float64Array.from({ length }, () => least + (1 - least) * random());

function seconds(action) {
  const start = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

/** The least time of a candidate in a new archive. */
function best(make, count) {
  const genomes = {
    words: Uint32Array.from({ length: 2 * count }, () => random() * 2 ** 32),
    offsets: Uint32Array.from({ length: count + 1 }, (_, index) => 2 * index),
  };
  const times = Array.from({ length: ROUNDS }, () => {
    const archive = make();
    const scores = {
      status: new Uint8Array(count),
      objective: doubles(count),
      measures: doubles(2 * count, -1),
    };
    return seconds(() => archive.add(genomes, scores, 0));
  });
  return (Math.min(...times) / count) * 1e6;
}

function grid(count) {
  const axes = ["first", "second"].map((name) => ({ name, min: -1, max: 1, bins: 1000 }));
  return { microseconds: best(() => gridArchive({ axes }), count) };
}

function cvt(cells, count) {
  const ranges = ["first", "second"].map((name) => ({ name, min: -1, max: 1 }));
  const make = () => cvtArchive({ ranges, cells });
  return { seconds: seconds(make), microseconds: best(make, count) };
}

async function loop(dimensions, batch, count) {
  const objectives = doubles(64 * batch);
  const measures = doubles(64 * 2 * batch, -1);
  const status = new Uint8Array(batch);
  let calls = 0;
  const evaluator = {
    description: "random numbers",
    measures: ["first", "second"],
    failures: [],
    evaluate() {
      const round = calls++ % 64;
      return {
        status,
        objective: objectives.subarray(round * batch, (round + 1) * batch),
        measures: measures.subarray(round * 2 * batch, (round + 1) * 2 * batch),
      };
    },
  };
  const search = new Search({
    space: vectorSpace({ dimensions }),
    archive: gridArchive({
      axes: ["first", "second"].map((name) => ({ name, min: -1, max: 1, bins: 100 })),
    }),
    emitters: [isoLine({ isoSigma: 0.5, lineSigma: 0.2 })],
    evaluator,
    batchSize: batch,
  });
  const batches = Math.floor(count / batch);
  const times = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const start = process.cpuUsage();
    for await (const _ of search.run({ batches }));
    const { user, system } = process.cpuUsage(start);
    if (round > 0) times.push(user + system);
  }
  return { microseconds: Math.min(...times) / (batches * batch) };
}

console.log(JSON.stringify(await { grid, cvt, loop }[what](...texts.map(Number))));
