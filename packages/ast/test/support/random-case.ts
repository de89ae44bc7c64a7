// Random compiles. A case is read from a list of numbers, so that fast-check can shrink it: each choice takes
// the next number, and 0 after the end of the list.
import type { AstLimits } from "../../src/index.js";
import { AS_IN_C, type ReferenceCase, UNLIMITED } from "./plain-compiler.js";

export interface RandomCase extends ReferenceCase {
  /** The limits as a caller passes them. */
  readonly given: Partial<AstLimits> | "reference" | undefined;
}

class Choices {
  #next = 0;

  constructor(private readonly numbers: readonly number[]) {}

  /** A u32. */
  word(): number {
    return this.numbers[this.#next++] ?? 0;
  }

  below(count: number): number {
    return this.word() % count;
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** True once in `times`; never after the end of the list. */
  once(times: number): boolean {
    return this.below(times) === times - 1;
  }
}

/** Lengths around what fits into a value, into a word, and into the field for a length. */
const NAME_LENGTHS = [11, 12, 40, 250, 251, 252];
const LONG_MNEMONIC = "an_instruction.with.a.long.name.f32";

export function caseOf(numbers: readonly number[]): RandomCase {
  const choices = new Choices(numbers);
  const instructions = Array.from({ length: choices.between(1, 6) }, (_, index) => ({
    ptx: choices.once(8) ? LONG_MNEMONIC : `i${index}.${"f32".padStart(choices.between(3, 21), "x")}`,
    args: choices.once(6) ? choices.below(6) : choices.between(1, 3),
  }));
  const inputs = Array.from({ length: choices.between(0, 5) }, (_, index) =>
    choices.once(12)
      ? `${"n".repeat(NAME_LENGTHS[choices.below(NAME_LENGTHS.length)]!)}${index}`
      : `x${index}`,
  );
  const routineCount = choices.below(5);
  const around = { choices, instructions, inputCount: inputs.length, routineCount };
  const routines = Array.from({ length: routineCount }, () => words(around, choices.below(10), true));
  const program = words(around, choices.below(40), false);
  const given = limits(choices);
  const effective = given === "reference" ? AS_IN_C : { ...UNLIMITED, ...given };
  return { instructions, limits: effective, given, routines, program, inputs, output: "out" };
}

function limits(choices: Choices): RandomCase["given"] {
  const kind = choices.below(4);
  if (kind === 0) return undefined;
  if (kind === 1) return "reference";
  const small = (most: number) => (choices.once(2) ? choices.below(most) : Number.POSITIVE_INFINITY);
  return {
    maxStackDepth: small(12),
    maxRoutineDepth: small(7),
    maxInstructions: small(40),
    maxArgs: small(6),
    maxInlined: choices.once(2) ? choices.below(100) : 4194304,
  };
}

interface Around {
  readonly choices: Choices;
  readonly instructions: ReferenceCase["instructions"];
  readonly inputCount: number;
  readonly routineCount: number;
}

const types = { input: 1, constant: 2, ptx: 3, routine: 4, return: 5, routineArgument: 6 };

/** Words that mostly leave one value, and sometimes arbitrary ones. */
function words(around: Around, count: number, isRoutine: boolean): number[] {
  const { choices, instructions, inputCount, routineCount } = around;
  const result: number[] = [];
  const write = (type: number, payload: number, aux = 0) => result.push(type + aux * 65536, payload);
  if (choices.once(12)) {
    for (let i = 0; i < count; i++) {
      if (choices.once(8)) result.push(choices.word(), choices.word());
      else write(choices.below(9), choices.once(3) ? choices.word() : choices.below(6), choices.below(6));
    }
    return result;
  }
  let size = 0;
  const leaf = () => {
    const index = choices.below(3);
    if (isRoutine && choices.once(2)) write(types.routineArgument, index);
    else if (index < inputCount || choices.once(30)) write(types.input, index);
    else write(types.constant, choices.word());
    size++;
  };
  const operation = () => {
    const index = choices.below(instructions.length);
    const { args } = instructions[index]!;
    while (size < args) leaf();
    write(types.ptx, index, choices.once(60) ? choices.below(7) : args);
    size += 1 - args;
  };
  for (let i = 0; i < count; i++) {
    if (choices.once(80)) write(choices.below(12), choices.below(8), choices.below(8));
    else if (routineCount > 0 && choices.once(6)) {
      const args = choices.between(0, Math.min(size, 5));
      write(types.routine, choices.below(routineCount), args);
      size += 1 - args;
    } else if (choices.once(2)) operation();
    else leaf();
  }
  const binary = instructions.findIndex(({ args }) => args === 2);
  while (size > 1 && binary >= 0) {
    write(types.ptx, binary, 2);
    size--;
  }
  if (size === 0) leaf();
  if (choices.once(3)) write(types.return, choices.word());
  if (choices.once(30)) operation();
  return result;
}
