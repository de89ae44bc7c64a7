// Makes all programs of a space, the shortest first.
import { isObject, isWhole } from "@mm-ptx/types/internal";
import { type Candidates, NO_OPERATOR } from "../candidates.js";
import { SearchError } from "../error.js";
import { invalid, readOptions } from "../options.js";
import { badState, numbersOf } from "../parts.js";
import type { PartState, Plain } from "../plain.js";
import type { EnumerablePrograms, EnumerableSpace, EnumeratedConstants } from "../spaces/enumerable.js";
import { isAllowed } from "../spaces/is-allowed.js";
import type { Space } from "../spaces/space.js";
import type { Emission, Emitter } from "./emitter.js";
import { MOST_OPERATIONS, ProgramWalk } from "./enumerate-programs.js";

/** Which programs are enumerated. */
export interface EnumerateOptions {
  /** The constants that programs have, by type. By default they have none. */
  readonly constants?: EnumeratedConstants;
  /** The most instructions of a program, up to 12. The default is 12, which no search comes to. */
  readonly mostOperations?: number;
}

/** Programs that are tried for one candidate at most: what the constraints of the space exclude is left out. */
const MOST_TRIED = 1000;

/**
 * Makes all programs of a stack or AST space by increasing number of operations, once each, and nothing after the last one: inputs and
 * constants, then programs of one operation, of two, and so on. Operations that the space allows are drawn from with all operands of
 * their types. Left out are programs that differ only in the order of independent operations or of operands that commute, operations
 * whose result is not used, operations on constants alone, and what the constraints of the space exclude. Functions of stack spaces are
 * not enumerated.
 *
 * @throws SearchError INVALID_ARGUMENT; `emit` throws UNSUPPORTED for other spaces, and for programs with several outputs
 */
export function enumerate(options: EnumerateOptions = {}): Emitter {
  const { constants = {}, mostOperations = MOST_OPERATIONS } = readOptions<EnumerateOptions>(options, {
    constants: isObject,
    mostOperations: isWhole(0, MOST_OPERATIONS),
  });
  for (const [type, values] of Object.entries(constants)) {
    if (!["f32", "u32", "s32"].includes(type)) throw invalid("constants of f32, u32 or s32", type);
    if (!Array.isArray(values) || values.some((value) => typeof value !== "number")) {
      throw invalid(`numbers as \`constants.${type}\``, values);
    }
  }
  return new Enumerate(constants, mostOperations);
}

class Enumerate implements Emitter {
  readonly kind = "enumerate";
  readonly description: Plain;
  readonly #constants: EnumeratedConstants;
  readonly #most: number;
  #programs: EnumerablePrograms | undefined;
  #walk: ProgramWalk | undefined;
  /** A position that was restored before the space was known. */
  #position: readonly number[] | undefined;

  constructor(constants: EnumeratedConstants, most: number) {
    this.#constants = Object.fromEntries(
      Object.entries(constants).map(([type, values]) => [type, [...values!]]),
    );
    this.#most = most;
    this.description = { kind: this.kind, constants: this.#constants as Plain, mostOperations: most };
  }

  emit(count: number, { space }: Emission, out: Candidates): void {
    this.#programs ??= programsOf(space, this.#constants);
    this.#walk ??= this.#begin(this.#programs);
    const end = out.genomes.count + count;
    for (let tries = count * MOST_TRIED; tries > 0 && out.genomes.count < end; tries--) {
      const found = this.#walk.next();
      if (found === undefined) return;
      const { genomes } = out;
      const { count: before, end: start } = genomes;
      this.#programs.append(found.nodes, found.output, genomes);
      if (genomes.count === before) continue;
      if (isAllowed(space, { words: genomes.room, start, end: genomes.end })) out.describe(NO_OPERATOR);
      else {
        genomes.count = before;
        genomes.end = start;
      }
    }
  }

  state(): PartState {
    const position = this.#walk?.position() ?? this.#position ?? [];
    return { values: {}, arrays: { position: Float64Array.from(position) } };
  }

  restore(state: PartState): void {
    const position = Array.from(numbersOf(state, "position"));
    this.#walk = undefined;
    this.#position = position.length === 0 ? undefined : position;
    if (this.#programs !== undefined) this.#walk = this.#begin(this.#programs);
  }

  #begin({ parts }: EnumerablePrograms): ProgramWalk {
    const walk = new ProgramWalk(parts, this.#most);
    if (this.#position !== undefined && !walk.restore(this.#position))
      throw badState("the place of a program as `position`");
    return walk;
  }
}

/** @throws SearchError UNSUPPORTED */
function programsOf(space: Space, constants: EnumeratedConstants): EnumerablePrograms {
  const { enumerable } = space as Partial<EnumerableSpace>;
  if (enumerable === undefined) {
    throw new SearchError(
      "UNSUPPORTED",
      `expected a space whose programs can be enumerated, found \`${space.kind}\``,
    );
  }
  return enumerable.call(space, constants);
}
