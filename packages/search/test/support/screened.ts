// Searches of vectors whose candidates a model screens, and what their evaluators were asked for.
import {
  type BatchEvent,
  type Emitter,
  evolve,
  functionEvaluator,
  type GenomeScore,
  gridArchive,
  type ScreeningOptions,
  Search,
  type SearchOptions,
  vectorSpace,
} from "../../src/index.js";

export const DIMENSIONS = 4;

/** Higher near the middle; most vectors at the ends of the first coordinate fail. */
export function bowl([a = 0, b = 0, c = 0, d = 0]: Float32Array): GenomeScore {
  if (a > 0.9) return { failure: "STEEP" };
  return {
    objective: 4 - a * a - b * b - (c - a) * (c - a) - (d - b) * (d - b),
    measures: [c, Math.round(8 + 4 * d)],
  };
}

/** The registers that a bowl costs are its second measure. */
export function screenedSearch(
  screen: ScreeningOptions | undefined,
  options: Partial<SearchOptions> = {},
  score: (values: Float32Array) => GenomeScore | Promise<GenomeScore> = bowl,
): Search {
  return new Search({
    space: vectorSpace({ dimensions: DIMENSIONS, bounds: [-1, 1] }),
    archive: gridArchive({
      axes: [
        { name: "c", min: -1, max: 1, bins: 12 },
        { name: "registers", min: 0, max: 16 },
      ],
    }),
    emitters: [evolve()],
    evaluator: functionEvaluator({
      ...{ name: "bowl", measures: ["c", "registers"], failures: ["STEEP"] },
      score: (words) => score(new Float32Array(words.slice().buffer)),
    }),
    ...{ seed: 5, batchSize: 40 },
    ...(screen && { screen }),
    ...options,
  });
}

/** The events of some batches, with what is left of a batch when it is reused. */
export async function batchesOf(search: Search, batches: number) {
  const events: (BatchEvent & { readonly made: number; readonly left: number })[] = [];
  for await (const event of search.run({ batches })) {
    if (event.type !== "batch") continue;
    const { made, duplicates } = event.batch;
    events.push({ ...event, made, left: made - duplicates });
  }
  return events;
}

/** What was predicted in each batch and what came, as plain data. */
export const predictionsOf = (events: readonly BatchEvent[]) =>
  events.map(({ screen, evaluated, qdScore }) => ({
    ...{
      evaluated,
      qdScore,
      filtered: screen?.filtered,
      candidates: screen?.candidates,
      rho: screen?.watch.rho,
    },
    chosen: [...(screen?.chosen ?? [])],
    predicted: [...(screen?.predicted ?? [])],
    came: [...(screen?.came ?? [])],
  }));

/** An emitter that makes the same vectors again and again, in this order. */
export const repeating = (vectors: readonly (readonly number[])[]): Emitter => {
  let next = 0;
  return {
    ...{ kind: "repeating", description: "repeating" },
    emit: (count, emission, out) => {
      for (let made = 0; made < count; made++) {
        emission.next();
        out.genomes.appendCopy(new Uint32Array(Float32Array.from(vectors[next++ % vectors.length]!).buffer));
        out.describe(255);
      }
    },
  };
};
