// Every entry of a description as stubs: on registers, and with every choice of arguments as constants if
// their stacks have constants.

import {
  AstCompiler,
  AstProgram,
  constant as astConstant,
  input as astInput,
  ptxInstruction as astPtx,
} from "../../packages/ast/dist/index.js";
import {
  constantBits,
  constantF32,
  type Instruction,
  input,
  ptxInstruction,
  StackCompiler,
  StackProgram,
  special,
} from "../../packages/stack/dist/index.js";
import type { AstTable, ConstantType, Requirement, StackTable } from "../../packages/types/dist/index.js";
import type { Stub, StubKernel } from "./stub-kernel.js";

/** The common properties of the stubs of one entry. */
export interface EntryStubs {
  readonly name: string;
  /** The text that a line of each stub begins with. */
  readonly line: string;
  readonly requires?: Requirement | undefined;
  readonly stubs: readonly Stub[];
}

/** Which arguments are constants, and which of a stack's sample constants they are. */
interface Variant {
  readonly what: string;
  isConstant(argument: number): boolean;
  readonly sample: number;
}

/** An ordinary constant and an extreme one, because the assembler checks the range of some immediates. */
const SAMPLES: Record<ConstantType, readonly ((stack: number) => Instruction)[]> = {
  f32: [(stack) => constantF32(stack, -1.5), (stack) => constantF32(stack, Number.NaN)],
  s32: [(stack) => constantBits(stack, 7), (stack) => constantBits(stack, 0x80000000)],
  u32: [(stack) => constantBits(stack, 7), (stack) => constantBits(stack, 0xffffffff)],
};
const SAMPLE_NAMES = ["ordinary", "from the edge"];

/** A constant of a stack; `undefined` if the stack has none. */
export function sampleConstant(table: StackTable, stack: number, sample: number): Instruction | undefined {
  const { constantType } = table.stackTypes[stack]!;
  return constantType === undefined ? undefined : SAMPLES[constantType][sample]!(stack);
}

/** The PTX instructions of a Stack PTX description, then its special registers. */
export function stubsOfStackTable(table: StackTable, kernel: StubKernel): EntryStubs[] {
  const compiler = new StackCompiler(table);
  const elements = (type: number): number[] => {
    const { stackIndex, vectorElements } = table.argTypes[type]!;
    return Array.from({ length: vectorElements || 1 }, () => stackIndex);
  };
  /** A stub that writes the results to registers. */
  const stub = (what: string, program: readonly Instruction[], results: readonly number[]): Stub => {
    const writes = results.flatMap(elements).map((stack, place) => kernel.writable(stack, place));
    const job = { registers: kernel.registers, requests: writes };
    return { what, text: compiler.compile(StackProgram.of(...program), job), writes };
  };

  const instructions = table.instructions.map((entry, index) => {
    const hasConstants = entry.args.map(
      (type) => sampleConstant(table, table.argTypes[type]!.stackIndex, 0) !== undefined,
    );
    const stubs = variants(hasConstants).map(({ what, isConstant, sample }) => {
      const operands = entry.args.flatMap((type, argument) =>
        elements(type).map((stack, element) => {
          const value = isConstant(argument) ? sampleConstant(table, stack, sample) : undefined;
          return value ?? input(kernel.readable(stack, argument * 4 + element));
        }),
      );
      // The first argument is the top of the stack.
      const program = [...operands.reverse(), ptxInstruction(index)];
      return stub(`${entry.name}, ${what}`, program, entry.results);
    });
    return { name: entry.name, line: `\t${entry.ptx} `, requires: entry.requires, stubs };
  });
  const specialRegisters = table.specialRegisters.map(({ ptx, name, requires, argType }, index) => {
    const { stackIndex } = table.argTypes[argType]!;
    const line = `\tmov.${table.stackTypes[stackIndex]!.literalPrefix} %_s${stackIndex}_0, %${ptx}`;
    return { name: `%${name}`, line, requires, stubs: [stub(`%${name}`, [special(index)], [argType])] };
  });
  return [...instructions, ...specialRegisters];
}

/** The instructions of an AST PTX description, on the f32 registers of a kernel. */
export function stubsOfAstTable(table: AstTable, kernel: StubKernel, f32: number): EntryStubs[] {
  const compiler = new AstCompiler(table);
  const nameOf = (index: number): string => kernel.registers[index]!.name;
  const inputs = [0, 1, 2, 3].map((n) => nameOf(kernel.readable(f32, n)));
  const output = kernel.writable(f32, 0);
  return table.instructions.map(({ name, ptx, args, requires }, index) => {
    const stubs = variants(Array.from({ length: args }, () => true)).map(({ what, isConstant, sample }) => {
      const operands = Array.from({ length: args }, (_, argument) =>
        isConstant(argument) ? astConstant([-1.5, Number.NaN][sample]!) : astInput(argument),
      );
      const program = AstProgram.of(...operands, astPtx(index, args));
      const text = compiler.compile(program, { inputs, output: nameOf(output) });
      return { what: `${name}, ${what}`, text, writes: [output] };
    });
    return { name, line: `\n${ptx} `, requires, stubs };
  });
}

/** Registers alone, and every choice of arguments that are constants. */
function variants(hasConstants: readonly boolean[]): Variant[] {
  const able = hasConstants.flatMap((has, argument) => (has ? [argument] : []));
  const choices = Array.from({ length: 2 ** able.length - 1 }, (_, bits) =>
    able.filter((_, place) => ((bits + 1) >> place) & 1),
  );
  return [
    { what: "on registers", isConstant: () => false, sample: 0 },
    ...SAMPLE_NAMES.flatMap((name, sample) =>
      choices.map((chosen) => ({
        what: `argument ${chosen.map((argument) => argument + 1).join(", ")} a constant (${name})`,
        isConstant: (argument: number) => chosen.includes(argument),
        sample,
      })),
    ),
  ];
}
