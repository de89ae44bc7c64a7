// Stubs for the sites of any kernel, made from an injection's operands alone, like those of a user who sees a
// kernel for the first time. Operands are identified by name, so the same numbers give the same program for
// every style of a kernel.

import { ptx as ast, table as astTable } from "../../packages/ast/dist/generated/f32.js";
import {
  AstCompiler,
  AstProgram,
  constant as astConstant,
  input as astInput,
  siteJob as astSiteJob,
  type Instruction,
} from "../../packages/ast/dist/index.js";
import type { AnnotatedPtx, Injection } from "../../packages/inject/dist/index.js";
import { stacks, table } from "../../packages/stack/dist/generated/default/index.js";
import {
  input,
  PHILOX_REGISTERS,
  philox,
  philoxRegisters,
  StackCompiler,
  StackProgram,
  siteJob,
} from "../../packages/stack/dist/index.js";
import {
  ProgramSampler,
  type ProgramSamplerOptions,
  Random,
} from "../../packages/stack/dist/random/index.js";
import type { StackInstruction } from "../../packages/types/dist/index.js";
import { allows } from "./isa.js";

type Operand = Injection["operands"][number];
export type StubMaker = (injection: Injection) => string;

/** A stub for every injection of a text. */
export function stubsFor({ injections }: AnnotatedPtx, make: StubMaker): Record<string, string> {
  return Object.fromEntries(injections.map((injection) => [injection.name, make(injection)]));
}

const isRead = ({ direction }: Operand): boolean => direction !== "out";
const isWritten = ({ direction }: Operand): boolean => direction !== "in";

/** Operands by name, because their order differs between styles. */
const byName = ({ operands }: Injection): Operand[] =>
  operands.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

const stackCompiler = new StackCompiler(table);
const astCompiler = new AstCompiler(astTable);

/**
 * Approximate number of instructions of a program: few if a stub is at hundreds of sites, to limit the
 * compile time.
 */
const sizeFor = ({ sites }: Injection): number => Math.min(8, Math.max(2, Math.round(100 / sites.length)));

/**
 * Comparisons are rare: they consume two values without producing one of that kind, so many of them would
 * leave nothing to write.
 */
function weightOf({ aligned, requires, results }: StackInstruction, target: string): number {
  if (aligned === true || !allows(requires, target)) return 0;
  return results.some((type) => table.argTypes[type]!.stackIndex !== stacks.PRED) ? 1 : 0.05;
}

/** Samplers of the middle and of the end of programs. */
type Samplers = readonly [middle: ProgramSampler, end: ProgramSampler];
/** The samplers of earlier injections with the same stacks: weighing all instructions takes longer than drawing a program. */
const samplersOf = new WeakMap<(instruction: StackInstruction) => boolean, Map<string, Samplers>>();
const ALL_DRAWN = (): boolean => true;

const ONLY_PTX = { input: 0, constant: 0, meta: 0, metaConstant: 0, store: 0, load: 0, routine: 0 };

/**
 * Random Stack PTX programs on the operands' stacks, the same for the same seed.
 *
 * @param target what they must run on
 * @param isDrawn which instructions they may have
 */
export function randomStackStubs(
  seed: number,
  target: string,
  isDrawn: (instruction: StackInstruction) => boolean = ALL_DRAWN,
): StubMaker {
  const random = new Random(seed);
  const known = samplersOf.get(isDrawn) ?? new Map<string, Samplers>();
  samplersOf.set(isDrawn, known);
  return (injection) => {
    const operands = byName(injection);
    const { registers, requests } = siteJob(table, operands);
    const inputs = operands.flatMap((operand, index) => (isRead(operand) ? [index] : []));
    const names = registers.map(({ stackIndex }) => table.stackTypes[stackIndex]!.name);
    const size = sizeFor(injection);
    const key = JSON.stringify([target, size, names, inputs]);
    let samplers = known.get(key);
    if (samplers === undefined) {
      const options: ProgramSamplerOptions = {
        registers,
        inputs,
        stacks: Object.fromEntries([...names, "PRED"].map((name) => [name, 1])),
        instructions: (instruction) => (isDrawn(instruction) ? weightOf(instruction, target) : 0),
      };
      samplers = [
        new ProgramSampler(table, { ...options, length: { min: size, max: 4 * size } }),
        // An output should be the result of something, not an operand that was pushed last.
        new ProgramSampler(table, { ...options, kinds: ONLY_PTX, length: size }),
      ];
      known.set(key, samplers);
    }
    const [middle, end] = samplers;
    const start = [...inputs, ...inputs].map((index) => input(index));
    const program = StackProgram.of(...start).concat(middle.program(random), end.program(random));
    return stackCompiler.compile(program, { registers, requests });
  };
}

/** A site with a Philox state writes a normal number to its output and advances the counter. */
export const normalStub: StubMaker = (injection) => {
  const library = philox(table);
  const written = injection.operands.filter((operand) => operand.type !== "PHILOX" && isWritten(operand));
  const registers = [
    ...philoxRegisters(table, (name) => injection.operand(name)),
    ...siteJob(table, written).registers,
  ];
  const program = StackProgram.of(library.call("push_state"), library.call("curand_normal"));
  const requests = [PHILOX_REGISTERS.indexOf("philox_ctr_x"), PHILOX_REGISTERS.length];
  return new StackCompiler(table, { routines: library.routines }).compile(program, { registers, requests });
};

/**
 * A random AST PTX expression for each f32 output, one after the other. AST PTX only has f32: other outputs
 * get a copy of an operand of their type, or 0.
 */
export function randomAstStubs(seed: number): StubMaker {
  const random = new Random(seed);
  return (injection) => {
    const operands = byName(injection);
    const floats = operands.filter(({ registerType }) => registerType === "f32");
    const parts = operands.filter(isWritten).map((operand) => {
      if (operand.registerType !== "f32") return copyOf(operand, operands);
      const job = astSiteJob(astTable, floats, { output: operand.name });
      const program = AstProgram.of(...expression(random, sizeFor(injection), job.inputs.length));
      return astCompiler.compile(program, job);
    });
    return parts.join("\n");
  };
}

const operations: readonly Instruction[] = Object.values(ast);

/** An expression in postorder with at most `size` operations. */
function expression(random: Random, size: number, inputs: number): Instruction[] {
  if (size <= 0) {
    if (inputs === 0 || random.below(3) === 0) return [astConstant(random.below(129) / 16 - 4)];
    return [astInput(random.below(inputs))];
  }
  const operation = operations[random.below(operations.length)]!;
  const args = operation.head >>> 16;
  const operands = Array.from({ length: args }, () =>
    expression(random, Math.floor((size - 1) / args), inputs),
  );
  return [...operands.flat(), operation];
}

function copyOf(operand: Operand, operands: readonly Operand[]): string {
  const { registerType: type, register } = operand;
  const source = operands.find((other) => other.registerType === type && other !== operand && isRead(other));
  return `mov.${type} %${register}, ${source === undefined ? "0" : `%${source.register}`};`;
}

/** An empty stub: `mod` keeps its value, `out` is undefined. */
export const emptyStub: StubMaker = () => "";

/** Moves that copy each operand to itself. */
export const idleStub: StubMaker = ({ operands }) =>
  operands.map(({ register, registerType }) => `mov.${registerType} %${register}, %${register};`).join("\n");
