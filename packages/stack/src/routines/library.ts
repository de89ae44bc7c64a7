// Libraries of routines: programs that call each other by name, joined into the list that a compiler takes.
import { didYouMean } from "@mm-ptx/types/internal";
import { invalid } from "../arguments.js";
import { type Instruction, routine } from "../encode.js";
import { StackPtxError } from "../error.js";
import { InstructionType, Packed } from "../layout.js";
import { checkProgram, StackProgram } from "../program.js";

/**
 * Routines by name. Their order matters, because calls refer to it. Pass `library.routines` to a compiler, `new
 * StackCompiler(table, { routines: library.routines })`, and use `library.call("name")` in programs. Iterating yields
 * the entries, so that you can append routines that call them: `RoutineLibrary.of([...library, ["mine",
 * StackProgram.of(library.call("name"))]])`.
 */
export class RoutineLibrary<Name extends string = string> implements Iterable<readonly [Name, StackProgram]> {
  /** The list that a compiler takes as `routines`. */
  readonly routines: readonly StackProgram[];
  /** The names, in the order of `routines`. */
  readonly names: readonly Name[];
  readonly #indices: ReadonlyMap<string, number>;

  private constructor(names: readonly Name[], routines: readonly StackProgram[]) {
    this.names = Object.freeze([...names]);
    this.routines = Object.freeze([...routines]);
    this.#indices = new Map(names.map((name, index) => [name, index]));
  }

  /**
   * Makes a library of programs whose routine instructions refer to entries of the library itself, by index.
   * @throws StackPtxError INVALID_ARGUMENT when a name occurs twice or an entry has no program, ROUTINES_IDX_OUT_OF_BOUNDS
   * when a program calls a routine that the library does not have
   */
  static of<Name extends string>(
    entries: Iterable<readonly [name: Name, program: StackProgram]>,
  ): RoutineLibrary<Name> {
    if (typeof entries !== "object" || entries === null || !(Symbol.iterator in entries)) {
      throw invalid("routines as pairs of a name and a program", entries);
    }
    const list = [...entries];
    const seen = new Set<string>();
    for (const entry of list) {
      if (!Array.isArray(entry)) throw invalid("a pair of a routine's name and its program", entry);
      const [name, program] = entry;
      if (typeof name !== "string" || name === "") throw invalid("a routine's name", name);
      if (seen.has(name)) throw invalid("distinct names of routines", name);
      seen.add(name);
      checkProgram(program, `a StackProgram as routine \`${name}\``);
    }
    list.forEach(([name, program], index) => {
      [...program].forEach((instruction, at) => {
        if (isCall(instruction) && instruction.payload >= list.length) {
          throw new StackPtxError(
            "ROUTINES_IDX_OUT_OF_BOUNDS",
            `expected a routine from 0 to ${list.length - 1}, found ${instruction.payload} in \`${name}\``,
            { routine: index, instruction: at },
          );
        }
      });
    });
    return new RoutineLibrary(
      list.map(([name]) => name),
      list.map(([, program]) => program),
    );
  }

  /**
   * The instruction that runs a routine.
   * @throws StackPtxError INVALID_ARGUMENT when the library does not have it
   */
  call(name: Name): Instruction {
    const index = this.#indices.get(name);
    if (index !== undefined) return routine(index);
    const hint = typeof name === "string" ? didYouMean(name, this.names) : "";
    throw invalid("a routine of the library", name, hint);
  }

  /**
   * Returns this library followed by another one. Calls made for this library stay valid; calls inside the other one
   * are renumbered.
   * @throws StackPtxError INVALID_ARGUMENT when both have a routine of the same name
   */
  concat<Other extends string>(other: RoutineLibrary<Other>): RoutineLibrary<Name | Other> {
    if (!(other instanceof RoutineLibrary)) throw invalid("a RoutineLibrary", other);
    const moved = other.routines.map((program) => moveCalls(program, this.routines.length));
    return RoutineLibrary.of<Name | Other>([
      ...this,
      ...other.names.map((name, index) => [name, moved[index]!] as const),
    ]);
  }

  /** Yields the names and routines in order, in the form that `RoutineLibrary.of` takes. */
  *[Symbol.iterator](): Generator<readonly [Name, StackProgram], void, undefined> {
    for (const [index, name] of this.names.entries()) yield [name, this.routines[index]!];
  }
}

function moveCalls(program: StackProgram, by: number): StackProgram {
  const words = program.words.slice();
  [...program].forEach((instruction, at) => {
    if (isCall(instruction)) words[at * Packed.wordsPerInstruction + 1] = instruction.payload + by;
  });
  return StackProgram.fromWords(words);
}

function isCall({ head }: Instruction): boolean {
  return (head & Packed.typeMask) === InstructionType.routine;
}
