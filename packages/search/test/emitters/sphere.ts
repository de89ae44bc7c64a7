// The sphere of the linear projection (Fontaine et al., "Covariance matrix adaptation for the rapid illumination of behavior space", GECCO
// 2020), as pyribs has it, for tests of emitters of vectors.
import {
  type Archive,
  type Emitter,
  type Evaluator,
  type GridArchiveOptions,
  gridArchive,
  Search,
  vectorSpace,
} from "../../src/index.js";

const LIMIT = 5.12;
const CENTRE = 2.048;
const WORST = 7.168;

/** Higher is better; measures are sums of both halves, whose coordinates beyond the limit count less. */
export function sphere(dimensions: number): Evaluator {
  const half = dimensions / 2;
  return {
    description: "sphere",
    measures: ["first", "second"],
    failures: [],
    evaluate({ genomes, count }) {
      const numbers = new Float32Array(genomes.room.buffer);
      const objective = new Float64Array(count);
      const measures = new Float64Array(2 * count);
      for (let index = 0; index < count; index++) {
        let sum = 0;
        for (let axis = 0; axis < dimensions; axis++) {
          const x = numbers[index * dimensions + axis]!;
          sum += (x - CENTRE) * (x - CENTRE);
          measures[2 * index + (axis < half ? 0 : 1)]! += Math.abs(x) > LIMIT ? LIMIT / x : x;
        }
        objective[index] = 100 * (1 - sum / (WORST * WORST * dimensions));
      }
      return { status: new Uint8Array(count), objective, measures };
    },
  };
}

export function sphereArchive(
  dimensions: number,
  bins: number,
  options: Partial<GridArchiveOptions> = {},
): Archive {
  const limit = (dimensions / 2) * LIMIT;
  const axis = { min: -limit, max: limit, bins };
  return gridArchive({
    axes: ["first", "second"].map((name) => ({ ...axis, name })),
    ...options,
  });
}

/** Searches with 540 candidates in a batch. */
export async function searchSphere(
  dimensions: number,
  emitters: readonly Emitter[],
  batches: number,
  seed = 1,
) {
  const search = new Search({
    space: vectorSpace({ dimensions }),
    archive: sphereArchive(dimensions, 100),
    evaluator: sphere(dimensions),
    emitters,
    seed,
    batchSize: 540,
  });
  for await (const _ of search.run({ batches }));
  return search;
}
