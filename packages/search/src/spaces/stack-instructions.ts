// Which PTX instructions genomes of stack spaces consist of, and which stacks these use.
import {
  input,
  ptxInstruction,
  type RoutineLibrary,
  register,
  type StackCompileJob,
  StackCompiler,
  StackProgram,
} from "@mm-ptx/stack";
import { CodeBuffer } from "@mm-ptx/types/code";
import type { StackInstruction, StackTable } from "@mm-ptx/types/core";
import { CodeWord, unknownName } from "@mm-ptx/types/internal";
import { SearchError } from "../error.js";
import { invalid } from "../options.js";
import { GENE, PTX, TYPE_MASK } from "./stack-words.js";

/** Names of PTX instructions, or a weight for each. */
export type InstructionChoice = readonly string[] | Readonly<Record<string, number>>;

/** The weight of each instruction. @throws SearchError INVALID_ARGUMENT for instructions that straight-line code does not have */
export function instructionWeights(
  table: StackTable,
  given: InstructionChoice | undefined,
  job: StackCompileJob,
  library: RoutineLibrary,
): (instruction: StackInstruction) => number {
  const hasCode = codeFinder(table);
  if (given === undefined) {
    const stacks = usedStacks(table, [], job, library);
    const usable = new Set(
      table.instructions.filter(
        (instruction) =>
          [...instruction.args, ...instruction.results].every((type) =>
            stacks.has(table.argTypes[type]!.stackIndex),
          ) && hasCode(instruction),
      ),
    );
    return (instruction) => Number(usable.has(instruction));
  }
  if (!Array.isArray(given) && (typeof given !== "object" || given === null)) {
    throw invalid("`instructions` as names or as weights by name", given);
  }
  const weights = new Map<string, number>(
    Array.isArray(given)
      ? (given as readonly string[]).map((name) => [name, 1] as const)
      : Object.entries(given as Readonly<Record<string, number>>),
  );
  refuse(
    unknownName(
      [...weights.keys()],
      table.instructions.map(({ name }) => name),
      { noun: "instruction" },
    ),
  );
  for (const instruction of table.instructions) {
    const weight = weights.get(instruction.name);
    if (weight === undefined) continue;
    if (typeof weight !== "number" || !(weight >= 0 && weight <= Number.MAX_SAFE_INTEGER)) {
      throw invalid(`a number of at least 0 as the weight of \`${instruction.name}\``, weight);
    }
    if (weight > 0 && !hasCode(instruction)) {
      throw invalid("instructions on single values without memory", instruction.name);
    }
  }
  return ({ name }) => weights.get(name) ?? 0;
}

/** A function that says whether straight-line code has an instruction: it compiles a program of only that one. */
function codeFinder(table: StackTable): (instruction: StackInstruction) => boolean {
  const compiler = new StackCompiler(table);
  const out = new CodeBuffer();
  return (instruction) => {
    const { args, results } = instruction;
    if (results.length === 0) return false;
    const registers = [...args, results[0]!].map((type, index) =>
      register(`r${index}`, table.argTypes[type]!.stackIndex),
    );
    const reads = [...args.keys()].reverse().map((index) => input(index));
    const program = StackProgram.of(...reads, ptxInstruction(table.instructions.indexOf(instruction)));
    out.clear();
    try {
      compiler.compileToCode(program, { registers, requests: [args.length] }, out);
      // Without an operation, the instruction lacked operands: it takes vectors.
      return out.room[CodeWord.itemCount]! > args.length;
    } catch {
      return false;
    }
  };
}

/** The stacks of instructions, of the registers of a job, and of the instructions of functions. */
export function usedStacks(
  table: StackTable,
  instructions: readonly StackInstruction[],
  job: StackCompileJob,
  library: RoutineLibrary,
): ReadonlySet<number> {
  const inFunctions = library.routines.flatMap(({ words }) =>
    Array.from(words.keys()).flatMap((word) =>
      word % GENE === 0 && (words[word]! & TYPE_MASK) === PTX
        ? (table.instructions[words[word + 1]!] ?? [])
        : [],
    ),
  );
  const types = [...instructions, ...inFunctions].flatMap(({ args, results }) => [...args, ...results]);
  return new Set([
    ...job.registers.map(({ stackIndex }) => stackIndex),
    ...types.map((type) => table.argTypes[type]!.stackIndex),
  ]);
}

/** @throws SearchError INVALID_ARGUMENT if there is a problem */
export function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new SearchError("INVALID_ARGUMENT", problem);
}
