// The Philox routines: a small interpreter of straight-line PTX runs their stubs, which must compute the
// published numbers; philox-reference.test.ts compares their text.
import { describe, expect, it } from "vitest";
import { stacks, table } from "../../src/generated/default/index.js";
import {
  constantBits,
  type Instruction,
  PHILOX_REGISTERS,
  philox,
  philoxRegisters,
  RoutineLibrary,
  register,
  routine,
  StackCompiler,
  StackProgram,
  StackPtxError,
} from "../../src/index.js";

const toFloat = (word: number): number => new Float32Array(Uint32Array.of(word).buffer)[0]!;
const toBits = (value: number): number => new Uint32Array(Float32Array.of(value).buffer)[0]!;
const onFloats =
  (operation: (...values: number[]) => number) =>
  (...words: number[]): number =>
    toBits(operation(...words.map(toFloat)));

/** The instructions of the stubs, on 32-bit words. */
const OPERATIONS: Record<string, (...words: number[]) => number> = {
  "mov.u32": (a) => a!,
  "mov.f32": (a) => a!,
  "mov.b32": (a) => a!,
  "add.u32": (a, b) => (a! + b!) >>> 0,
  "mul.lo.u32": (a, b) => Math.imul(a!, b!) >>> 0,
  "mul.hi.u32": (a, b) => Number((BigInt(a!) * BigInt(b!)) >> 32n),
  "xor.b32": (a, b) => (a! ^ b!) >>> 0,
  "cvt.rn.f32.u32": (a) => toBits(a!),
  // Exact products of f32 fit f64; the error of the second rounding is far below the tolerance of the tests.
  "fma.rn.ftz.f32": onFloats((a, b, c) => a! * b! + c!),
  "mul.ftz.f32": onFloats((a, b) => a! * b!),
  "lg2.approx.ftz.f32": onFloats((a) => Math.log2(a!)),
  "sqrt.approx.ftz.f32": onFloats((a) => Math.sqrt(a!)),
  "sin.approx.ftz.f32": onFloats((a) => Math.sin(a!)),
  "cos.approx.ftz.f32": onFloats((a) => Math.cos(a!)),
};

/** Runs a stub on registers by name, which it updates. */
function run(stub: string, registers: Map<string, number>): void {
  for (const line of stub.split("\n")) {
    const [, name, operands] = /^\t([a-z][\w.]*) (%.*);$/.exec(line) ?? [];
    if (name === undefined) {
      expect(line).toMatch(/^\t(\{|\}|\.reg \.\w+ %_s\d+_<\d+>;)$/);
      continue;
    }
    const [target, ...sources] = operands!.split(", ");
    const values = sources.map((source) => {
      const constant = /^0[xf]([0-9A-F]{8})U?$/.exec(source);
      const value = constant === null ? registers.get(source.slice(1)) : Number.parseInt(constant[1]!, 16);
      if (value === undefined) throw new Error(`expected a register that was written, found ${source}`);
      return value;
    });
    const operation = OPERATIONS[name];
    if (operation === undefined) throw new Error(`expected an instruction of Philox, found ${name}`);
    registers.set(target!.slice(1), operation(...values));
  }
}

const library = philox(table);
const compiler = new StackCompiler(table, { routines: library.routines });
const OUTPUTS = ["a", "b", "c", "d"];

/** What a program of calls leaves in the outputs, from the top of their stack down, and in the counter. */
function results(
  calls: readonly Instruction[],
  [keyX, keyY, x, y, z, w]: readonly number[],
  stack: number = stacks.U32,
): { outputs: number[]; counter: number; stub: string } {
  const registers = [
    ...PHILOX_REGISTERS.map((name) => register(name, stacks.PHILOX)),
    ...OUTPUTS.map((name) => register(name, stack)),
  ];
  const stub = compiler.compile(StackProgram.of(library.call("push_state"), ...calls), {
    registers,
    requests: [6, 7, 8, 9, 2],
  });
  const values = new Map([keyX, keyY, x, y, z, w].map((value, i) => [PHILOX_REGISTERS[i] as string, value!]));
  run(stub, values);
  return { outputs: OUTPUTS.map((name) => values.get(name)!), counter: values.get("philox_ctr_x")!, stub };
}

describe("Philox", () => {
  // The known answers of Random123 for philox4x32 with 10 rounds: counter, key, numbers.
  it.each([
    [
      [0, 0, 0, 0],
      [0, 0],
      [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
    ],
    [
      [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
      [0xffffffff, 0xffffffff],
      [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
    ],
    [
      [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
      [0xa4093822, 0x299f31d0],
      [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
    ],
  ])("computes the known answers for counter %j and key %j", (counter, key, expected) => {
    const { outputs, counter: next } = results([library.call("curand")], [...key, ...counter]);
    expect(outputs.reverse()).toEqual(expected);
    expect(next).toBe((counter[0]! + 1) >>> 0);
  });

  it("advances the counter with each call", () => {
    const state = [1, 2, 3, 4, 5, 6];
    const twice = results([library.call("curand"), library.call("curand")], state);
    const second = results([library.call("curand")], [1, 2, 4, 4, 5, 6]);
    expect(twice.outputs).toEqual(second.outputs);
    expect(twice.counter).toBe(5);
    // Only the second call's numbers are requested: the first one's rounds are not in the stub.
    expect(twice.stub.match(/mul\.hi/g)).toHaveLength(20);
  });

  it("turns them into uniform numbers in (0, 1]", () => {
    const state = [0xa4093822, 0x299f31d0, 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344];
    const integers = results([library.call("curand")], state).outputs.reverse();
    const { outputs, counter } = results([library.call("curand_uniform")], state, stacks.F32);
    const expected = integers.map((word) => Math.fround(Math.fround(word) * 2 ** -32 + 2 ** -33));
    expect(outputs.map(toFloat)).toEqual(expected);
    expect(counter).toBe(0x243f6a89);
  });

  it("turns every word into a uniform number", () => {
    const uniform = (word: number): number => {
      const stub = compiler.compile(
        StackProgram.of(constantBits(stacks.U32, word), library.call("uniform_scale")),
        { registers: [register("a", stacks.F32)], requests: [0] },
      );
      const values = new Map<string, number>();
      run(stub, values);
      return toFloat(values.get("a")!);
    };
    expect(uniform(0)).toBe(2 ** -33);
    expect(uniform(1)).toBe(1.5 * 2 ** -32);
    expect(uniform(0xffffffff)).toBe(1);
  });

  it("runs inside the caller's own routines, as deep as the default limit of frames allows", () => {
    const calls = [library.call("push_state"), library.call("curand_uniform")];
    const own = RoutineLibrary.of([
      ...library,
      ["inner", StackProgram.of(...calls)],
      ["outer", StackProgram.of(routine(library.names.length))],
    ]);
    const job = {
      registers: [...philoxRegisters(table), register("a", stacks.F32)],
      requests: [6, PHILOX_REGISTERS.indexOf("philox_ctr_x")],
    };
    const nested = new StackCompiler(table, { routines: own.routines });
    const program = StackProgram.of(own.call("outer"));
    expect(nested.analyze(program, job).ignored.routine).toBe(0);
    expect(nested.compile(program, job)).toBe(compiler.compile(StackProgram.of(...calls), job));
  });

  it("returns its registers, on their stack", () => {
    expect(philoxRegisters(table)).toEqual(PHILOX_REGISTERS.map((name) => register(name, stacks.PHILOX)));
    const names = philoxRegisters(table, (operand) => ({ register: `_${operand}` })).map(({ name }) => name);
    expect(names).toEqual(PHILOX_REGISTERS.map((name) => `_${name}`));
  });

  it("turns each pair of them into two normal numbers", () => {
    const state = [7, 8, 9, 10, 11, 12];
    const [w, z, y, x] = results([library.call("curand")], state).outputs;
    const { outputs } = results([library.call("curand_normal")], state, stacks.F32);
    const pair = (first: number, second: number): number[] => {
      const radius = Math.sqrt(-2 * Math.log((first + 0.5) * 2 ** -32));
      const angle = (second + 0.5) * 2 ** -32 * 2 * Math.PI;
      return [Math.sin(angle) * radius, Math.cos(angle) * radius];
    };
    const expected = [...pair(x!, y!), ...pair(z!, w!)];
    outputs.forEach((word, index) => {
      expect(toFloat(word)).toBeCloseTo(expected[index]!, 5);
    });
  });

  it("uses its registers wherever the job has them", () => {
    const registers = ["r", ...PHILOX_REGISTERS].map((name) => register(name, stacks.PHILOX));
    const moved = philox(table, { firstRegister: 1 });
    const stub = new StackCompiler(table, { routines: moved.routines }).compile(
      StackProgram.of(moved.call("push_state")),
      { registers, requests: [0] },
    );
    expect(stub).toContain("mov.u32 %r, %philox_ctr_x;");
  });

  it("reports what a table lacks", () => {
    const without = {
      ...table,
      instructions: table.instructions.filter(
        ({ ptx }) => ptx !== "mul.hi.u32" && ptx !== "lg2.approx.ftz.f32",
      ),
    };
    expect(() => philox(without)).toThrow(StackPtxError);
    expect(() => philox(without)).toThrow(
      "expected a table with everything that Philox needs, found one without: `mul.hi.u32` from PHILOX, PHILOX to PHILOX; " +
        "`lg2.approx.ftz.f32` from F32 to F32",
    );
    const stackTypes = table.stackTypes.map((stack) => ({
      ...stack,
      name: stack.name.replace("PHILOX", "X"),
    }));
    expect(() => philox({ ...table, stackTypes })).toThrow("found one without: stack `PHILOX`; `add.u32`");
    expect(() => philox(table, { firstRegistr: 1 } as never)).toThrow(
      "unknown option `firstRegistr`, did you mean `firstRegister`?",
    );
  });
});

describe("a routine library", () => {
  const pushOne = StackProgram.of({ head: 6, payload: 1 });
  const calls = (index: number): StackProgram => StackProgram.of(routine(index));

  it("keeps its own calls, and renumbers those of a library that is appended", () => {
    const first = RoutineLibrary.of([
      ["one", pushOne],
      ["two", calls(0)],
    ]);
    const second = RoutineLibrary.of([
      ["three", pushOne],
      ["four", calls(0)],
    ]);
    const both = first.concat(second);
    expect(both.names).toEqual(["one", "two", "three", "four"]);
    expect(both.call("two")).toEqual(first.call("two"));
    expect(both.routines[1]!.decode(0)).toEqual({ type: "routine", index: 0 });
    expect(both.routines[3]!.decode(0)).toEqual({ type: "routine", index: 2 });
    expect(second.routines[1]!.decode(0)).toEqual({ type: "routine", index: 0 });
  });

  it("works after another one", () => {
    const both = RoutineLibrary.of([["first", pushOne]]).concat(library);
    const registers = [...PHILOX_REGISTERS, "a"].map((name, index) =>
      register(name, index < 6 ? stacks.PHILOX : stacks.U32),
    );
    const job = { registers, requests: [6] };
    const alone = compiler.compile(StackProgram.of(library.call("push_state"), library.call("curand")), job);
    const behind = new StackCompiler(table, { routines: both.routines }).compile(
      StackProgram.of(both.call("push_state"), both.call("curand")),
      job,
    );
    expect(behind).toBe(alone);
  });

  it("refuses names that clash or do not exist, and calls that lead nowhere", () => {
    const one = RoutineLibrary.of([["one", pushOne]]);
    expect(() => one.concat(one)).toThrow("expected distinct names of routines, found `one`");
    expect(() => library.call("curandd" as never)).toThrow(
      "expected a routine of the library, found `curandd`, did you mean `curand`?",
    );
    expect(() => RoutineLibrary.of([["x", calls(1)]])).toThrow(
      "expected a routine from 0 to 0, found 1 in `x` (routine 0, instruction 0)",
    );
    expect(() => RoutineLibrary.of([["x", 1 as never]])).toThrow(
      "expected a StackProgram as routine `x`, found 1",
    );
    expect(() => RoutineLibrary.of([["", pushOne]])).toThrow("expected a routine's name");
    expect(() => RoutineLibrary.of([[5 as never, pushOne]])).toThrow("expected a routine's name, found 5");
    expect(() => one.concat({} as never)).toThrow("expected a RoutineLibrary, found an object");
  });
});
