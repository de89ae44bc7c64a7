// What goes wrong with learned filters elsewhere (pytorch/helion#3518 reports the first four), as cases at the level of a search.
import { describe, expect, it } from "vitest";
import type { GenomeScore, ScreeningOptions } from "../../src/index.js";
import { batchesOf, bowl, repeating, screenedSearch } from "../support/screened.js";

const ENTERS: ScreeningOptions = { predicts: "enters" };
/** A model that is trusted all the time. */
const TRUSTED = { window: 65_536, least: 65_536 };

/** Vectors in a fixed order that looks random. */
const vectors = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    [7919, 6101, 4049, 2677].map((prime) => ((index * prime) % 1009) / 504.5 - 1),
  );

describe("a screened search", () => {
  it("evaluates a candidate that was rejected when it comes again", async () => {
    const seen = new Set<string>();
    const made = vectors(120);
    const search = screenedSearch(
      { ...ENTERS, watch: TRUSTED, explore: 0.5 },
      { emitters: [repeating(made)], batchSize: 20, dedupe: true },
      (values) => {
        const key = values.join();
        expect(seen.has(key)).toBe(false);
        seen.add(key);
        return bowl(values);
      },
    );
    const events = await batchesOf(search, 40);
    expect(events.some(({ screen, evaluated }) => screen!.candidates > evaluated)).toBe(true);
    // Every vector had its turn, none of them twice.
    expect(seen.size).toBe(made.length);
  });

  it("explores a tenth of five candidates in the long run", async () => {
    // The model chooses by the first coordinate; whatever is not among the greatest was chosen at random.
    const score = (values: Float32Array): GenomeScore => ({ objective: values[0]! + 1, measures: [0, 0] });
    const search = screenedSearch(
      {
        ...{
          predicts: { name: "first", of: ({ objective }) => objective },
          model: "neighbours",
          watch: TRUSTED,
        },
        features: {
          name: "first",
          columns: 1,
          write: ({ words, start }, out) => out.set([new Float32Array(words.buffer)[start]!]),
        },
      },
      { emitters: [repeating(vectors(1009))], batchSize: 5, dedupe: false },
      score,
    );
    let explored = 0;
    let chosen = 0;
    for (const { screen } of await batchesOf(search, 300)) {
      if (!screen!.filtered) continue;
      const bar = Float64Array.from(screen!.predicted).sort()[0]!;
      chosen += screen!.chosen.length;
      // A random one is in the lower half of 20 candidates half of the time; a greedy one never.
      if (bar < 0.9) explored++;
    }
    expect(chosen).toBeGreaterThan(1000);
    expect(explored).toBeGreaterThan(0.03 * (chosen / 5));
    expect(explored).toBeLessThan(0.8 * (chosen / 5));
  });

  it("keeps elites, whatever the model finds of them", async () => {
    const search = screenedSearch({ ...ENTERS, watch: TRUSTED, model: "linear" });
    let before = 0;
    let best = Number.NEGATIVE_INFINITY;
    for (const event of await batchesOf(search, 25)) {
      expect(event.elites).toBeGreaterThanOrEqual(before);
      expect(event.best).toBeGreaterThanOrEqual(best);
      before = event.elites;
      best = event.best!;
    }
  });

  it("replaces what it learned of a candidate that is measured again", async () => {
    // All vectors cost 10 at first, and later what their first coordinate says.
    let later = false;
    const made = vectors(60);
    const search = screenedSearch(
      { predicts: "registers", model: "neighbours", watch: TRUSTED, window: 4096 },
      { emitters: [repeating(made)], batchSize: 60, dedupe: false },
      (values) => ({ objective: 1, measures: [values[2]!, later ? (values[0]! > 0 ? 16 : 4) : 10] }),
    );
    await batchesOf(search, 4);
    later = true;
    const events = await batchesOf(search, 8);
    const { predicted, came } = events.at(-1)!.screen!;
    const errors = Array.from(came, (registers, place) => Math.abs(registers - predicted[place]!));
    // With stale rows, predictions would be between the old cost and the new one.
    expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(4);
    const { values } = search.state().evaluator!;
    expect(values).toBeDefined();
    expect((search.state().evaluator!.arrays["learner.labels"] as Uint32Array).length).toBe(made.length);
  });

  it.each(["trees", "linear", "neighbours"] as const)(
    "switches %s off within 500 rows if labels are shuffled",
    async (model) => {
      let state = 1;
      const noise = () => {
        state = (state * 48271) % 2147483647;
        return state / 2147483647;
      };
      const search = screenedSearch({ predicts: { name: "noise", of: noise }, model }, { batchSize: 50 });
      const events = await batchesOf(search, 20);
      const after = events.filter(({ evaluations }) => evaluations > 500);
      expect(after.length).toBeGreaterThan(5);
      expect(after.filter(({ screen }) => screen!.filtered)).toEqual([]);
      // It costs no candidates any more.
      expect(after.at(-1)!.made).toBe(50);
    },
  );
});
