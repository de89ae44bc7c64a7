// Wrong arguments from JavaScript, where no type prevents them: each is refused with a typed error, and none
// is accepted silently.
import { describe, expect, it } from "vitest";
import * as stack from "../src/index.js";
import {
  crossover,
  deleteInstructions,
  insertInstructions,
  ProgramSampler,
  perturbConstants,
  Random,
  replaceInstructions,
  swapInstructions,
} from "../src/random/index.js";
import { complaint, SMALL_TABLE } from "./support/small-table.js";

const { input, RoutineLibrary, StackCompiler, StackProgram } = stack;
const philox: (...args: unknown[]) => unknown = stack.philox as never;
const philoxRegisters: (...args: unknown[]) => unknown = stack.philoxRegisters as never;

/** Values that no argument accepts; for one without a prototype not even `String(value)` works. */
const STRANGE: readonly (readonly [string, unknown])[] = [
  ["undefined", undefined],
  ["null", null],
  ["a text", "%"],
  ["a bigint", 1n],
  ["a symbol", Symbol("s")],
  ["an object", {}],
  ["an object without a prototype", Object.create(null)],
];

const program = StackProgram.of(input(0));
const random = new Random(1);
const sampler = new ProgramSampler(SMALL_TABLE, { registers: [{ stackIndex: 0 }], length: 200 });
const library = RoutineLibrary.of([["one", program]]);
const noTable = { kind: "stack", fingerprint: "0".repeat(64) };

type Call = (...args: never[]) => unknown;

/** Calls that pass on one strange argument. */
const CALLS: Record<string, (strange: never) => unknown> = {
  ptxInstruction: stack.ptxInstruction,
  input: stack.input,
  special: stack.special,
  metaConstant: stack.metaConstant,
  routine: stack.routine,
  load: stack.load,
  "constantBits, stack": (strange) => stack.constantBits(strange, 0),
  "constantBits, bits": (strange) => stack.constantBits(0, strange),
  constantF32: (strange) => stack.constantF32(0, strange),
  constantS32: (strange) => stack.constantS32(0, strange),
  float32Bits: stack.float32Bits,
  meta: (strange) => stack.meta(0, strange),
  "store, slot": (strange) => stack.store(0, strange),
  decodeInstruction: stack.decodeInstruction,
  encodeInstruction: stack.encodeInstruction,
  "register, name": (strange) => stack.register(strange, 0),
  "register, stack": (strange) => stack.register("x", strange),
  "StackProgram.of": StackProgram.of as Call,
  "StackProgram.fromWords": StackProgram.fromWords,
  "StackProgram.fromBytes": StackProgram.fromBytes,
  "new StackProgram": (strange) => new (StackProgram as unknown as new (words: never) => unknown)(strange),
  "program.at": (strange) => program.at(strange),
  "program.equals": (strange) => program.equals(strange),
  "program.splice": (strange) => program.splice(strange, 0),
  "program.concat": (strange) => program.concat(strange),
  "new StackCompiler": (strange) => new StackCompiler(strange),
  "new StackCompiler, limits": (strange) =>
    new StackCompiler(SMALL_TABLE, { limits: { maxAstSize: strange ?? null } as never }),
  compile: (strange) => new StackCompiler(SMALL_TABLE).compile(strange, { registers: [], requests: [] }),
  "disassemble, program": (strange) => stack.disassemble(strange, SMALL_TABLE),
  "disassemble, table": (strange) => stack.disassemble(program, strange),
  "assemble, table": (strange) => stack.assemble("input 0", strange),
  "readProgramFile, bytes": (strange) => stack.readProgramFile(strange, SMALL_TABLE),
  "readProgramFile, table": (strange) => stack.readProgramFile(new Uint8Array(12), strange),
  writeProgramFile: (strange) => [...stack.writeProgramFile(strange, {}, [])],
  "RoutineLibrary.of": RoutineLibrary.of,
  "RoutineLibrary.of, pair": (strange) => RoutineLibrary.of([strange]),
  "RoutineLibrary.of, program": (strange) => RoutineLibrary.of([["x", strange]]),
  "library.call": (strange) => library.call(strange),
  "library.concat": (strange) => library.concat(strange),
  philox,
  philoxRegisters,
  "new Random": (strange) => new Random(strange),
  "random.below": (strange) => random.below(strange),
  "random.pick": (strange) => random.pick(strange),
  "new ProgramSampler": (strange) => new ProgramSampler(strange),
  "sampler.program": (strange) => sampler.program(strange),
  "sampler.fill, words": (strange) => sampler.fill(strange, 0, 1, random),
  "sampler.fill, start": (strange) => sampler.fill(new Uint32Array(4), strange, 2, random),
  "sampler.fill, end": (strange) => sampler.fill(new Uint32Array(4), 0, strange, random),
  "sampler.fill, random": (strange) => sampler.fill(new Uint32Array(4), 0, 2, strange),
  "replaceInstructions, program": (strange) => replaceInstructions(strange, sampler, random),
  "replaceInstructions, sampler": (strange) => replaceInstructions(program, strange, random),
  "replaceInstructions, random": (strange) => replaceInstructions(program, sampler, strange),
  "insertInstructions, program": (strange) => insertInstructions(strange, sampler, random),
  "insertInstructions, sampler": (strange) => insertInstructions(program, strange, random),
  "insertInstructions, random": (strange) => insertInstructions(program, sampler, strange),
  "deleteInstructions, random": (strange) => deleteInstructions(program, strange),
  "swapInstructions, program": (strange) => swapInstructions(strange, random),
  "swapInstructions, random": (strange) => swapInstructions(program, strange),
  "crossover, second": (strange) => crossover(program, strange, random),
  "crossover, random": (strange) => crossover(program, program, strange),
  "perturbConstants, table": (strange) => perturbConstants(program, strange, random),
  "perturbConstants, random": (strange) => perturbConstants(program, SMALL_TABLE, strange),
};

describe.each(Object.entries(CALLS))("%s", (_name, call) => {
  it.each(STRANGE)("refuses %s", (_what, strange) => {
    expect(complaint(() => call(strange as never))).toMatch(
      /^INVALID_ARGUMENT: (option `[\w.]+`: )?expected .*, found /,
    );
  });
});

/** Draws only constants, so that the functions of the options are called. */
const constants = (options: object): ProgramSampler =>
  new ProgramSampler(SMALL_TABLE, { length: 500, kinds: { ptx: 0 }, ...options } as never);

describe("arguments", () => {
  it.each<[string, () => unknown]>([
    [
      "expected two words per instruction, found 3 words: the last instruction is truncated",
      () => new (StackProgram as unknown as new (words: Uint32Array) => unknown)(new Uint32Array(3)),
    ],
    [
      "expected a StackProgram, found an object",
      () =>
        new StackCompiler(SMALL_TABLE).compile({ words: new Uint32Array([3, 0]) } as never, {
          registers: [],
          requests: [],
        }),
    ],
    [
      "expected a routine as a StackProgram, found an object",
      () => new StackCompiler(SMALL_TABLE, { routines: [{ words: new Uint32Array(2) } as never] }),
    ],
    [
      "expected an encoded instruction, found an object",
      () => stack.decodeInstruction({ head: 5, payload: -1 }),
    ],
    [
      "expected an encoded instruction, found an object",
      () => stack.decodeInstruction({ head: 5, payload: 1.5 }),
    ],
    ["expected a Stack PTX table, found an object", () => stack.assemble("", noTable as never)],
    ["expected a Stack PTX table, found an object", () => stack.disassemble(program, noTable as never)],
    [
      "expected a Stack PTX table, found an object",
      () => stack.readProgramFile(new Uint8Array(), noTable as never),
    ],
    [
      "expected a table with the fingerprints of its `bases`, found an object",
      () =>
        stack.readProgramFile(new Uint8Array(), {
          ...SMALL_TABLE,
          fingerprint: "0".repeat(64),
          bases: undefined,
        } as never),
    ],
    ["expected options as an object, found null", () => philox(SMALL_TABLE, null)],
    [
      "option `firstRegister`: expected a whole number from 0 to 4294967290, found 4294967291",
      () => philox(SMALL_TABLE, { firstRegister: 2 ** 32 - 5 }),
    ],
    [
      "option `firstRegister`: expected a whole number from 0 to 4294967290, found null",
      () => philox(SMALL_TABLE, { firstRegister: null }),
    ],
    ["expected a table with a stack `PHILOX`, found an object", () => philoxRegisters(SMALL_TABLE)],
    [
      "expected a function from operands to registers, found an object",
      () => philoxRegisters(SMALL_TABLE, {}),
    ],
    ["expected `constants` by type, found null", () => constants({ constants: null })],
    ["expected a function that draws `f32`, found 5", () => constants({ constants: { f32: 5 } })],
    ["expected a function that draws `metaConstant`, found 5", () => constants({ metaConstant: 5 })],
    [
      "expected a number from the function that draws `metaConstant`, found a bigint",
      () => constants({ metaConstant: () => 1n }).program(random),
    ],
    [
      "expected a number from the function that draws `u32`, found `x`",
      () => constants({ constants: { u32: () => "x" } }).program(random),
    ],
    ["expected weights by kind, found null", () => constants({ kinds: null })],
    ["expected `registers` as an array, found 5", () => constants({ registers: 5 })],
    ["expected `inputs` as an array, found 5", () => constants({ inputs: 5 })],
    [
      "expected an integer from 0 to 0 as an input, found `0`",
      () => constants({ registers: [{ stackIndex: 0 }], inputs: ["0"] }),
    ],
    ...[-1, 0.5, undefined].map((stackIndex): [string, () => unknown] => [
      `expected an integer from 0 to 1 as the stack of register 0, found ${stackIndex}`,
      () => constants({ registers: [{ stackIndex }] }),
    ]),
    [
      "unknown property of `length` `mx`, did you mean `max`?",
      () => constants({ length: { min: 1, max: 2, mx: 3 } }),
    ],
    [
      "expected an integer from 0 to 2 as `end`, found 3",
      () => sampler.fill(new Uint32Array(5), 0, 3, random),
    ],
    [
      "expected an integer from 0 to 1 as `start`, found 2",
      () => sampler.fill(new Uint32Array(4), 2, 1, random),
    ],
    [
      "unknown option `pionts`, did you mean `points`?",
      () => crossover(program, program, random, { pionts: 1 } as never),
    ],
    [
      "unknown option `rat`, did you mean `rate`?",
      () => perturbConstants(program, SMALL_TABLE, random, { rat: 0 } as never),
    ],
    ["expected options as an object, found null", () => crossover(program, program, random, null as never)],
    [
      "expected options as an object, found null",
      () => perturbConstants(program, SMALL_TABLE, random, null as never),
    ],
    ...[-1, 0.5, 2 ** 24 + 1].flatMap((count): [string, () => unknown][] =>
      [replaceInstructions, insertInstructions].map((vary) => [
        `expected an integer from 0 to 16777216 as \`count\`, found ${count}`,
        () => vary(StackProgram.of(), sampler, random, count),
      ]),
    ),
    [
      "expected an integer from 0 to 16777216 as `count`, found 16777217",
      () => deleteInstructions(program, random, 2 ** 24 + 1),
    ],
  ])("refuse: %s", (message, call) => {
    expect(complaint(call)).toBe(`INVALID_ARGUMENT: ${message}`);
  });

  it("may be `undefined` for a function of the options", () => {
    expect(constants({ constants: { f32: undefined } }).program(random).length).toBe(500);
  });
});
