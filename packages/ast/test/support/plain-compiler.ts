// The whole compiler written for readability, as the oracle of the package's own: values are texts, and a
// routine is a function call. It is slow and shares no code with the package.

export interface ReferenceLimits {
  readonly maxStackDepth: number;
  readonly maxRoutineDepth: number;
  readonly maxInstructions: number;
  readonly maxArgs: number;
  readonly maxInlined: number;
}

export const UNLIMITED: ReferenceLimits = {
  maxStackDepth: Number.POSITIVE_INFINITY,
  maxRoutineDepth: Number.POSITIVE_INFINITY,
  maxInstructions: Number.POSITIVE_INFINITY,
  maxArgs: Number.POSITIVE_INFINITY,
  maxInlined: 4194304,
};

export const AS_IN_C: ReferenceLimits = {
  ...UNLIMITED,
  maxStackDepth: 256,
  maxRoutineDepth: 8,
  maxInstructions: 65536,
  maxArgs: 4,
};

export interface ReferenceCase {
  readonly instructions: readonly { readonly ptx: string; readonly args: number }[];
  readonly limits: ReferenceLimits;
  readonly routines: readonly (readonly number[])[];
  readonly program: readonly number[];
  readonly inputs: readonly string[];
  readonly output: string;
}

/**
 * The stub, or the code of the error with the routine and instruction that raised it; -1 is the main program.
 */
export type Outcome =
  | { readonly text: string }
  | { readonly code: string; readonly routine: number; readonly instruction: number };

class Failure extends Error {
  constructor(
    readonly code: string,
    readonly routine: number,
    readonly instruction: number,
  ) {
    super(code);
  }
}

/** What the compiler must return. */
export function referenceCompile(each: ReferenceCase): Outcome {
  try {
    return { text: new Machine(each).compile() };
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    const { code, routine, instruction } = failure;
    return { code, routine, instruction };
  }
}

/** What an instruction writes for a value; a number is an input that does not exist. */
type Value = string | number;

class Machine {
  readonly #stack: Value[] = [];
  readonly #lines: string[] = [];
  #inlined = 0;
  readonly #hasRun = new Set<number>();

  constructor(readonly each: ReferenceCase) {}

  compile(): string {
    const { output, program } = this.each;
    const last = this.#frame(program, -1, [], 0);
    const copy = `mov.f32 %${output}, ${this.#text(this.#stack[0]!, -1, last)};\n`;
    const declaration = this.#lines.length === 0 ? "" : `.reg .f32 %ast<${this.#lines.length}>;\n`;
    return `{\n${declaration}${this.#lines.join("")}${copy}}`;
  }

  /** Runs a program or routine; returns the index of its return. */
  #frame(words: readonly number[], routine: number, args: readonly Value[], depth: number): number {
    const { instructions, limits, inputs, routines } = this.each;
    const stack = this.#stack;
    const entry = stack.length;
    for (let index = 0; ; index++) {
      const fail = (code: string) => new Failure(code, routine, index);
      if (index >= limits.maxInstructions) throw fail("BAD_INSTRUCTION_MAYBE_FORGOT_RETURN");
      const [head = 5, payload = 0] = words.slice(2 * index, 2 * index + 2);
      const count = Math.floor(head / 65536);
      const push = (value: Value) => {
        if (stack.length >= limits.maxStackDepth) throw fail("STACK_OVERFLOW");
        stack.push(value);
      };
      const pop = () => stack.splice(stack.length - count, count);
      switch (head % 65536) {
        case 1:
          push(payload < inputs.length ? `%${inputs[payload]}` : payload);
          break;
        case 2:
          push(`0f${payload.toString(16).padStart(8, "0")}`);
          break;
        case 3: {
          if (count > limits.maxArgs) throw fail("TOO_MANY_ARGS");
          const instruction = instructions[payload];
          if (instruction === undefined) throw fail("PTX_INSTRUCTION_IDX_OUT_OF_BOUNDS");
          if (instruction.args !== count) throw fail("INVALID_VALUE");
          if (stack.length < count) throw fail("STACK_UNDERFLOW");
          const operands = pop().map((value) => this.#text(value, routine, index));
          const register = `%ast${this.#lines.length}`;
          this.#lines.push(`${instruction.ptx} ${[register, ...operands].join(", ")};\n`);
          push(register);
          break;
        }
        case 4: {
          if (count > limits.maxArgs) throw fail("TOO_MANY_ARGS");
          const callee = routines[payload];
          if (callee === undefined) throw fail("ROUTINE_IDX_OUT_OF_BOUNDS");
          // Calls nested deeper than the number of routines must recurse; the reference allows 8 levels in
          // any case.
          const deepest = Math.min(limits.maxRoutineDepth, Math.max(routines.length, 8));
          if (depth >= deepest) throw fail("ROUTINE_DEPTH_EXCEEDED");
          if (stack.length < count) throw fail("STACK_UNDERFLOW");
          if (this.#hasRun.has(payload)) this.#inlined += lengthOf(callee);
          this.#hasRun.add(payload);
          if (this.#inlined > limits.maxInlined) throw fail("INLINE_LIMIT_EXCEEDED");
          this.#frame(callee, payload, pop(), depth + 1);
          break;
        }
        case 5:
          if (stack.length !== entry + 1) throw fail("INVALID_VALUE");
          return index;
        case 6:
          if (payload >= args.length) throw fail("ROUTINE_ARG_IDX_OUT_OF_BOUNDS");
          push(args[payload]!);
          break;
        default:
          throw fail("BAD_INSTRUCTION_MAYBE_FORGOT_RETURN");
      }
    }
  }

  #text(value: Value, routine: number, instruction: number): string {
    if (typeof value === "string") return value;
    throw new Failure("INPUT_IDX_OUT_OF_BOUNDS", routine, instruction);
  }
}

/** The number of instructions up to the return, which is counted even if it is missing. */
function lengthOf(words: readonly number[]): number {
  const heads = words.filter((_, index) => index % 2 === 0);
  const found = heads.findIndex((head) => head % 65536 === 5);
  return (found < 0 ? heads.length : found) + 1;
}
