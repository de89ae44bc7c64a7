// The emitter of MAP-Elites for vectors: elites with normally distributed noise.
import { isPositive } from "@mm-ptx/types/internal";
import type { Candidates } from "../candidates.js";
import { normal } from "../normal.js";
import { readOptions } from "../options.js";
import type { Plain } from "../plain.js";
import { VectorOperator } from "../spaces/vector.js";
import { isOneOrList, isVector } from "../spaces/vector-options.js";
import type { Emission, Emitter } from "./emitter.js";
import { deviations, EliteVectors, PerSpace, vectorRoom } from "./vector-genomes.js";

/** What determines a Gaussian emitter. */
export interface GaussianOptions {
  /** The standard deviation in all coordinates, or in each. */
  readonly sigma: number | readonly number[];
  /** The center of candidates as long as the archive is empty; by default the initial vector of the space. */
  readonly x0?: readonly number[];
}

/**
 * Makes an emitter that adds normally distributed numbers to the coordinates of elites, drawn with equal probabilities.
 * @throws SearchError INVALID_ARGUMENT
 */
export const gaussian = (options: GaussianOptions): Emitter => new GaussianEmitter(options);

class GaussianEmitter implements Emitter {
  readonly kind = "gaussian";
  readonly description: Plain;
  readonly #setting;

  constructor(options: GaussianOptions) {
    const { sigma, x0 } = readOptions<GaussianOptions>(
      options,
      { sigma: isOneOrList(isPositive), x0: isVector },
      { required: ["sigma"] },
    );
    this.description = { kind: this.kind, sigma, ...(x0 && { x0: [...x0] }) };
    this.#setting = new PerSpace("gaussian", x0, (space) => ({
      sigma: deviations("sigma", sigma, space),
      parent: new EliteVectors(space.dimensions),
    }));
  }

  emit(count: number, emission: Emission, out: Candidates): void {
    const { space, first, extra } = this.#setting.get(emission);
    const { sigma, parent } = extra;
    const { dimensions } = space;
    const { values, at } = vectorRoom(out, count, dimensions);
    for (let candidate = 0, to = at; candidate < count; candidate++, to += dimensions) {
      const draws = emission.next();
      parent.draw(emission.archive, draws, first);
      for (let axis = 0; axis < dimensions; axis++) {
        values[to + axis] = parent.values[axis]! + sigma[axis]! * normal(draws);
      }
      space.confine(values, to);
      out.genomes.append(to + dimensions);
      out.describe(VectorOperator.gaussian, parent.serial);
    }
  }
}
