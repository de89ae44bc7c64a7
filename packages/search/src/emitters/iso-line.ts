// The emitter of iso+line: noise in all directions, and along the line between two elites.
import { isNumber, isPositive } from "@mm-ptx/types/internal";
import type { Candidates } from "../candidates.js";
import { normal } from "../normal.js";
import { readOptions } from "../options.js";
import type { Plain } from "../plain.js";
import { VectorOperator } from "../spaces/vector.js";
import { isOneOrList, isVector } from "../spaces/vector-options.js";
import type { Emission, Emitter } from "./emitter.js";
import { deviations, EliteVectors, PerSpace, vectorRoom } from "./vector-genomes.js";

/** What determines an iso+line emitter. */
export interface IsoLineOptions {
  /** The standard deviation in all coordinates, or in each; the default is 0.01. */
  readonly isoSigma?: number | readonly number[];
  /** The standard deviation along the line, as a share of the distance to the other elite; the default is 0.2. */
  readonly lineSigma?: number;
  /** The center of candidates as long as the archive is empty; by default the initial vector of the space. */
  readonly x0?: readonly number[];
}

/**
 * Makes an emitter of the operator iso+line (Vassiliades and Mouret, "Discovering the elite hypervolume by leveraging interspecies
 * correlation", GECCO 2018): x + isoSigma N(0, 1) + lineSigma N(0, 1) (y - x) for two elites x and y.
 * @throws SearchError INVALID_ARGUMENT
 */
export const isoLine = (options: IsoLineOptions = {}): Emitter => new IsoLineEmitter(options);

class IsoLineEmitter implements Emitter {
  readonly kind = "isoLine";
  readonly description: Plain;
  readonly #setting;
  readonly #lineSigma: number;

  constructor(options: IsoLineOptions) {
    const {
      isoSigma = 0.01,
      lineSigma = 0.2,
      x0,
    } = readOptions<IsoLineOptions>(options, {
      isoSigma: isOneOrList(isPositive),
      lineSigma: isNumber(0, Number.MAX_VALUE),
      x0: isVector,
    });
    this.description = { kind: this.kind, isoSigma, lineSigma, ...(x0 && { x0: [...x0] }) };
    this.#lineSigma = lineSigma;
    this.#setting = new PerSpace("isoLine", x0, (space) => ({
      sigma: deviations("isoSigma", isoSigma, space),
      parent: new EliteVectors(space.dimensions),
      other: new EliteVectors(space.dimensions),
    }));
  }

  emit(count: number, emission: Emission, out: Candidates): void {
    const { space, first, extra } = this.#setting.get(emission);
    const { sigma, parent, other } = extra;
    const { dimensions } = space;
    const { values, at } = vectorRoom(out, count, dimensions);
    for (let candidate = 0, to = at; candidate < count; candidate++, to += dimensions) {
      const draws = emission.next();
      parent.draw(emission.archive, draws, first);
      other.draw(emission.archive, draws, first);
      const step = this.#lineSigma * normal(draws);
      for (let axis = 0; axis < dimensions; axis++) {
        const from = parent.values[axis]!;
        values[to + axis] = from + sigma[axis]! * normal(draws) + step * (other.values[axis]! - from);
      }
      space.confine(values, to);
      out.genomes.append(to + dimensions);
      out.describe(VectorOperator.line, parent.serial, other.serial);
    }
  }
}
