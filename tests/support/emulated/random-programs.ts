// Random programs for kernels of `ProgramKernel`: Stack PTX on a few stacks each, and AST PTX.

import {
  AstCompiler,
  type Instruction as AstInstruction,
  AstProgram,
  input as astInput,
  constantBits,
} from "../../../packages/ast/dist/index.js";
import {
  input,
  type StackCompileJob,
  StackCompiler,
  StackProgram,
} from "../../../packages/stack/dist/index.js";
import { ProgramSampler, type Random, type RandomSource } from "../../../packages/stack/dist/random/index.js";
import type { AstTable, StackInstruction, StackTable } from "../../../packages/types/dist/index.js";
import { edgeBits } from "./edge-values.js";
import type { KernelProgram, ProgramKernel } from "./program-kernel.js";

/** A program of Stack PTX with its job. */
export interface StackKernelProgram extends KernelProgram {
  readonly program: StackProgram;
  readonly job: StackCompileJob;
}

const SAMPLERS = 60;
const ONLY_PTX = { input: 0, constant: 0, meta: 0, metaConstant: 0, store: 0, load: 0, routine: 0 };

/** Draws Stack PTX programs that read a kernel's inputs and write its outputs. */
export class StackPrograms {
  readonly #compiler: StackCompiler;
  readonly #draws: readonly ((random: Random) => StackKernelProgram)[];

  /** @param weight the probability weight of an instruction */
  constructor(
    table: StackTable,
    kernel: ProgramKernel,
    weight: (instruction: StackInstruction) => number,
    random: Random,
  ) {
    this.#compiler = new StackCompiler(table);
    // A program on all stacks would rarely find the operands of an instruction, so each uses a few stacks.
    this.#draws = Array.from({ length: SAMPLERS }, () => this.#drawing(table, kernel, weight, random));
  }

  draw(random: Random): StackKernelProgram {
    return this.#draws[random.below(this.#draws.length)]!(random);
  }

  #drawing(
    table: StackTable,
    kernel: ProgramKernel,
    weight: (instruction: StackInstruction) => number,
    random: Random,
  ): (random: Random) => StackKernelProgram {
    const registers = [...kernel.inputs, ...kernel.outputs];
    const all = [...new Set(registers.map(({ stackIndex }) => stackIndex))];
    const chosen = new Set(Array.from({ length: 4 }, () => all[random.below(all.length)]!));
    const takes = ({ stackIndex }: { readonly stackIndex: number }): boolean => chosen.has(stackIndex);
    const inputs = registers.flatMap((register, index) =>
      index < kernel.inputs.length && takes(register) ? [index] : [],
    );
    const requests = registers.flatMap((register, index) =>
      index >= kernel.inputs.length && takes(register) ? [index] : [],
    );
    const names = [...chosen].map((stack) => table.stackTypes[stack]!.name);
    const options = {
      registers,
      inputs,
      stacks: Object.fromEntries([...names, "PRED"].map((name) => [name, 1])),
      instructions: weight,
      constants: {
        f32: floatConstant,
        s32: (each: RandomSource) => Number(BigInt.asIntN(32, edgeBits("S32", each))),
        u32: (each: RandomSource) => Number(edgeBits("U32", each)),
      },
    };
    const middle = new ProgramSampler(table, { ...options, length: { min: 8, max: 40 } });
    const end = new ProgramSampler(table, { ...options, kinds: ONLY_PTX, length: 8 });
    const start = [...inputs, ...inputs].map((index) => input(index));
    return (each) => {
      const program = StackProgram.of(...start).concat(middle.program(each), end.program(each));
      const job = { registers, requests };
      const text = this.#compiler.compile(program, job);
      const writes = kernel.outputs.filter(({ name }) => text.includes(` %${name}, %_s`));
      return { text, writes, program, job };
    };
  }
}

const word = new DataView(new ArrayBuffer(4));

function floatConstant(random: RandomSource): number {
  word.setUint32(0, Number(edgeBits("F32", random)));
  return word.getFloat32(0);
}

/** Draws AST PTX programs that read the f32 inputs of a kernel and write its first f32 output. */
export class AstPrograms {
  readonly #compiler: AstCompiler;
  readonly #instructions: readonly AstInstruction[];

  /** @param instructions the instructions to draw */
  constructor(table: AstTable, instructions: readonly AstInstruction[]) {
    this.#compiler = new AstCompiler(table);
    this.#instructions = instructions;
  }

  draw(kernel: ProgramKernel, random: Random): KernelProgram & { readonly program: AstProgram } {
    const inputs = kernel.inputs.map(({ name }) => name);
    const [output] = kernel.outputs;
    const program = AstProgram.of(...this.#expression(random, 1 + random.below(40), inputs.length));
    const text = this.#compiler.compile(program, { inputs, output: output!.name });
    return { text, writes: [output!], program };
  }

  /** An expression in postorder with at most `size` operations. */
  #expression(random: Random, size: number, inputs: number): AstInstruction[] {
    if (size <= 0) {
      if (random.below(4) === 0) return [constantBits(Number(edgeBits("F32", random)))];
      return [astInput(random.below(inputs))];
    }
    const operation = this.#instructions[random.below(this.#instructions.length)]!;
    const args = operation.head >>> 16;
    // One operand gets most of the remaining size, so that some expressions are deep.
    const large = random.below(args);
    const rest = size - 1;
    const small = args === 1 ? 0 : random.below(Math.floor(rest / args) + 1);
    const sizes = Array.from({ length: args }, (_, index) =>
      index === large ? rest - small * (args - 1) : small,
    );
    return [...sizes.flatMap((each) => this.#expression(random, each, inputs)), operation];
  }
}
