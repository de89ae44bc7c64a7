// Makes candidates with a function of the user.
import { describeError, describeValue, isFunction, isText } from "@mm-ptx/types/internal";
import { type Candidates, NO_OPERATOR, NO_PARENT } from "../candidates.js";
import { SearchError } from "../error.js";
import { invalid } from "../options.js";
import type { Emission, Emitter, Feedback } from "./emitter.js";

/** A genome, and where it comes from if it has parents. */
export interface CustomCandidate {
  readonly genome: Uint32Array | string;
  /** The serial numbers of up to two elites. */
  readonly parents?: readonly number[];
}

/**
 * Returns up to `count` genomes, as words or as texts of the space. For a search to be reproducible it may depend on nothing but its
 * arguments: random numbers come from `emission.batchDraws`, or from `emission.next()` once for each candidate.
 */
export type CustomFunction = (
  count: number,
  emission: Emission,
) => readonly (Uint32Array | string | CustomCandidate)[];

/**
 * Makes candidates with a function, which has nothing left when it returns fewer than it was asked for.
 *
 * @param name what descriptions and errors call it
 * @param tell receives what became of the candidates
 * @throws SearchError INVALID_ARGUMENT; `emit` throws EMITTER_FAILED when the function throws, or returns what are not genomes of the space
 */
export function custom(name: string, make: CustomFunction, tell?: (feedback: Feedback) => void): Emitter {
  if (isText(name, "name") !== undefined || name === "") throw invalid("a name of the emitter", name);
  if (isFunction(make, "make") !== undefined) throw invalid(`a function for emitter \`${name}\``, make);
  if (tell !== undefined && isFunction(tell, "tell") !== undefined)
    throw invalid(`a function for \`tell\` of emitter \`${name}\``, tell);
  const emitter: Emitter = {
    kind: "custom",
    description: { kind: "custom", name },
    emit: (count, emission, out) => emit(name, make, count, emission, out),
  };
  return tell === undefined ? emitter : { ...emitter, tell };
}

function emit(name: string, make: CustomFunction, count: number, emission: Emission, out: Candidates): void {
  const genomes = genomesOf(name, make, count, emission);
  if (!Array.isArray(genomes) || genomes.length > count) {
    const found = Array.isArray(genomes) ? `${genomes.length}` : describeValue(genomes);
    throw failed(name, `expected a list of up to ${count} genomes, found ${found}`);
  }
  // All are read before the first is a candidate, so that a mistake leaves nothing.
  const read = Array.from(genomes, (genome, index) => readCandidate(name, genome, index, emission));
  for (const { words, parents } of read) {
    out.genomes.appendCopy(words);
    out.describe(NO_OPERATOR, ...parents);
  }
}

function genomesOf(name: string, make: CustomFunction, count: number, emission: Emission): unknown {
  try {
    return make(count, emission);
  } catch (error) {
    throw failed(name, describeError(error), error);
  }
}

function readCandidate(name: string, value: unknown, index: number, { space }: Emission) {
  const isPlain = typeof value === "string" || value instanceof Uint32Array;
  const { genome, parents = [] } = (isPlain ? { genome: value } : (value ?? {})) as Partial<CustomCandidate>;
  if (typeof genome !== "string" && !(genome instanceof Uint32Array))
    throw failed(name, `expected a Uint32Array or a text as genome ${index}, found ${describeValue(value)}`);
  if (!Array.isArray(parents) || parents.length > 2 || !parents.every(isSerial))
    throw failed(name, `expected up to two serial numbers as parents of genome ${index}`);
  try {
    const words = typeof genome === "string" ? space.parse(genome) : genome;
    space.check({ words, start: 0, end: words.length });
    return { words, parents: parents as [] | [number] | [number, number] };
  } catch (error) {
    throw failed(name, `genome ${index}: ${describeError(error)}`, error);
  }
}

const isSerial = (serial: unknown): boolean =>
  Number.isInteger(serial) && ((serial as number) >= 0 || serial === NO_PARENT);

const failed = (name: string, message: string, cause?: unknown): SearchError =>
  new SearchError("EMITTER_FAILED", `emitter \`${name}\`: ${message}`, cause === undefined ? {} : { cause });
