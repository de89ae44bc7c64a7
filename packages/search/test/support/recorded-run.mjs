// A process that records a search: `node recorded-run.mjs <folder> <batches>`. It prints a line for each batch, and the hash at the end.
import { writeSync } from "node:fs";
import { functionEvaluator, gridArchive, isoLine, Search, vectorSpace } from "../../dist/index.js";
import { openRun } from "../../dist/node/index.js";

const [folder, batches] = process.argv.slice(2);

const search = new Search({
  space: vectorSpace({ dimensions: 4, bounds: [-1, 1] }),
  archive: gridArchive({
    axes: [
      { name: "a", min: -1, max: 1, bins: 30 },
      { name: "b", min: -1, max: 1, bins: 30 },
    ],
  }),
  emitters: [isoLine({ isoSigma: 0.2 })],
  evaluator: functionEvaluator({
    name: "bowl",
    measures: ["a", "b"],
    score: (words) => {
      const [a, b, c, d] = new Float32Array(words.buffer, words.byteOffset, 4);
      return { objective: -(a * a + b * b + (c - a) * (c - a) + (d - b) * (d - b)), measures: [c, d] };
    },
  }),
  ...{ seed: 3, batchSize: 64, ahead: 1 },
});

const run = await openRun(folder, search, { snapshotSeconds: 0.02 });
const left = Number(batches) - search.batches;
if (left > 0)
  for await (const event of run.run({ batches: left }))
    if (event.type === "batch") writeSync(1, `${event.batch.number}\n`);
run.dispose();
writeSync(1, `hash ${[...search.hash()].join()}\n`);
