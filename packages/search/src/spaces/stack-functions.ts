// Functions of stack spaces: routines that genomes call, without calls inside.
import { RoutineLibrary, StackProgram } from "@mm-ptx/stack";
import { invalid } from "../options.js";
import { GENE, RETURN, ROUTINE, TYPE_MASK } from "./stack-words.js";

/** Routines nest at most this deep; deeper calls would call themselves. */
const DEEPEST = 64;
/** The most instructions of a function with those of all that it calls. */
const MOST_INSTRUCTIONS = 2 ** 12;

/** Programs by the name of the function, or a library of routines. */
export type StackFunctions = RoutineLibrary | Readonly<Record<string, StackProgram>>;

/** A library in which no routine calls another. @throws SearchError INVALID_ARGUMENT; StackPtxError for bad routines */
export function inlinedLibrary(functions: StackFunctions): RoutineLibrary {
  const given =
    functions instanceof RoutineLibrary ? functions : RoutineLibrary.of(Object.entries(functions));
  return RoutineLibrary.of(
    [...given].map(([name, program]) => {
      const words: number[] = [];
      inline(given, name, program.words, words, 0);
      return [name, StackProgram.fromWords(Uint32Array.from(words))] as const;
    }),
  );
}

function inline(
  library: RoutineLibrary,
  name: string,
  program: Uint32Array,
  words: number[],
  depth: number,
): void {
  for (let word = 0; word < program.length; word += GENE) {
    const type = program[word]! & TYPE_MASK;
    if (type === RETURN) return;
    if (depth > DEEPEST || words.length > GENE * MOST_INSTRUCTIONS) {
      throw invalid(
        `function \`${name}\` of at most ${MOST_INSTRUCTIONS} instructions`,
        "one that calls itself or is longer",
      );
    }
    const routine = type === ROUTINE ? library.routines[program[word + 1]!] : undefined;
    if (routine === undefined) words.push(program[word]!, program[word + 1]!);
    else inline(library, name, routine.words, words, depth + 1);
  }
}
