// The interpreter on columns, with WebAssembly: bits, shapes of columns, and what it refuses.
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import * as ast from "../../src/index.js";
import {
  AstCompiler,
  AstInterpreter,
  AstProgram,
  AstPtxError,
  constant,
  constantBits,
  float32Function,
  type Instruction,
  input,
  ptxInstruction,
  returnInstruction,
  routine,
  routineArgument,
} from "../../src/index.js";
import { HARD_CASES } from "../support/hard-cases.js";
import {
  bitsIn,
  checkHardCases,
  checkInstruction,
  checkPrograms,
  columnOf,
  MNEMONICS,
  TABLE,
} from "../support/interpreting.js";
import { raised, transferred } from "../support/small-table.js";
import { VECTOR_TABLE, VECTORS } from "../support/vectors.js";

const op = (ptx: string, args: number) => ptxInstruction(MNEMONICS.indexOf(ptx), args);
const ADD = op("add.ftz.f32", 2);
const FMA = op("fma.rn.ftz.f32", 3);
const interpreter = new AstInterpreter(TABLE);

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof AstPtxError) return error.code;
    throw error;
  }
  return "none";
}

const messageOf = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    return (error as Error).message;
  }
  return "none";
};

describe("instructions", () => {
  it("run in WebAssembly", () => {
    expect(interpreter.backend).toBe("webassembly");
  });

  it("run in JavaScript on request", () => {
    const plain = new AstInterpreter(TABLE, { webAssembly: false });
    expect(plain.backend).toBe("javascript");
    expect(plain.evaluate(AstProgram.of(input(0), constant(1), ADD), [2])).toBe(3);
    expect(interpreter.backend).toBe("webassembly");
  });

  it.each(MNEMONICS)("%s is exact on columns", { timeout: 600_000 }, (ptx) => {
    checkInstruction(ast, ptx, smoke(40_000));
  });

  it.each(Object.keys(HARD_CASES))("%s is exact for the hardest arguments", (ptx) => {
    checkHardCases(ast, ptx);
  });
});

describe("programs", () => {
  it("compute what their instructions compute one by one", { timeout: 600_000 }, () => {
    checkPrograms(ast, 0xa57, smoke(20_000));
  });

  it("may be an input or a constant alone, with any bits", () => {
    const column = columnOf([0x7fc00001, 1, 0x80000000, 0xff800001]);
    expect(bitsIn(interpreter.evaluateColumns(AstProgram.of(input(0)), [column]))).toEqual(bitsIn(column));
    const output = interpreter.evaluateColumns(AstProgram.of(constantBits(0xffc12345)), [column]);
    expect([...bitsIn(output)]).toEqual(Array.from({ length: 4 }, () => 0xffc12345));
    expect(interpreter.evaluate(AstProgram.of(constant(1.5)), [])).toBe(1.5);
  });

  it("see the sign of a NaN only through copysign", () => {
    const copysign = op("copysign.f32", 2);
    const column = columnOf([0xffc00000, 0x7fc00000]);
    const sign = AstProgram.of(input(0), constant(2), copysign);
    expect([...interpreter.evaluateColumns(sign, [column])]).toEqual([-2, 2]);
    const negated = AstProgram.of(input(0), op("neg.ftz.f32", 1), constant(2), copysign);
    expect([...interpreter.evaluateColumns(negated, [column])]).toEqual([2, 2]);
  });

  it("keep subnormals where nothing flushes them", () => {
    const column = columnOf([1, 0x807fffff]);
    const kept = AstProgram.of(input(0), op("tanh.approx.f32", 1));
    expect([...bitsIn(interpreter.evaluateColumns(kept, [column]))]).toEqual([1, 0x807fffff]);
    const flushed = AstProgram.of(input(0), op("tanh.approx.f32", 1), op("abs.ftz.f32", 1));
    expect([...bitsIn(interpreter.evaluateColumns(flushed, [column]))]).toEqual([0, 0]);
  });

  it("read an input before and after it is flushed", () => {
    const program = AstProgram.of(input(0), input(0), constant(0), ADD, op("copysign.f32", 2));
    expect([...bitsIn(interpreter.evaluateColumns(program, [columnOf([0x80000001, 5])]))]).toEqual([SIGN, 0]);
  });

  it("do not compute what routines drop, and may use a value any number of times", () => {
    const square = AstProgram.of(routineArgument(0), routineArgument(0), op("mul.ftz.f32", 2));
    const first = AstProgram.of(routineArgument(0));
    const program = AstProgram.of(
      input(0),
      constant(1),
      ADD,
      routine(0, 1),
      input(0),
      routine(1, 2),
      routine(0, 1),
    );
    const withRoutines = new AstInterpreter(TABLE, { routines: [square, first] });
    expect(withRoutines.evaluate(program, [2])).toBe(81);
  });

  it("of 100,000 constants, and of 100,000 links, run", () => {
    const programOf = (instructions: readonly Instruction[]) =>
      AstProgram.fromWords(Uint32Array.from(instructions.flatMap(({ head, payload }) => [head, payload])));
    const count = 100_000;
    const wide = Array.from({ length: count }, (_, i) => [input(0), constant(i), ADD]).flat();
    for (let i = 1; i < count; i++) wide.push(ADD);
    let sum = 0;
    for (let i = count - 1; i >= 0; i--) sum = i === count - 1 ? i + 1 : Math.fround(i + 1 + sum);
    expect(interpreter.evaluate(programOf(wide), [1])).toBe(sum);
    const deep = [input(0), ...Array.from({ length: count }, () => [constant(1), ADD]).flat()];
    expect(interpreter.evaluate(programOf(deep), [5])).toBe(count + 5);
  });

  it("of the conformance cases are refused where the compiler refuses them", () => {
    const programOf = (words: readonly number[]) => AstProgram.fromWords(Uint32Array.from(words));
    let run = 0;
    for (const { inputs, routines, program, error } of VECTORS) {
      const options = { routines: routines.map(programOf), limits: "reference" } as const;
      const values = inputs.map((_, i) => i + 0.5);
      const expected = codeOf(() =>
        new AstCompiler(VECTOR_TABLE, options).compile(programOf(program), { inputs, output: "z" }),
      );
      const found = codeOf(() =>
        new AstInterpreter(VECTOR_TABLE, options).evaluate(programOf(program), values),
      );
      expect(found).toBe(expected);
      if (error === undefined) run++;
    }
    expect(run).toBeGreaterThan(200);
  });
});

const SIGN = 0x80000000;

describe("columns", () => {
  const program = AstProgram.of(input(0), input(1), constant(3), FMA);
  const expected = (x: number, y: number) => float32Function("fma.rn.ftz.f32")(x, y, 3);
  const ramp = (length: number, factor: number) => Float32Array.from({ length }, (_, i) => i * factor);

  it.each([0, 1, 2, 3, 4, 5, 63, 64, 1023, 1024, 1025, 5000])("of %i rows are computed", (rows) => {
    const [x, y] = [ramp(rows, 0.1), ramp(rows, -0.7)];
    const output = interpreter.evaluateColumns(program, [x, y]);
    expect(output).toEqual(x.map((value, i) => expected(value, y[i]!)));
  });

  it("may start anywhere, and nothing beside an output is written", () => {
    const memory = new Float32Array(40).fill(9);
    const x = new Float32Array(memory.buffer, 4, 7).fill(2);
    const y = new Float32Array(memory.buffer, 4 * 9, 7).fill(5);
    const output = new Float32Array(memory.buffer, 4 * 17, 7);
    expect(interpreter.evaluateColumns(program, [x, y], output)).toBe(output);
    expect([...memory]).toEqual(
      Array.from({ length: 40 }, (_, i) => {
        if (i >= 1 && i < 8) return 2;
        if (i >= 9 && i < 16) return 5;
        return i >= 17 && i < 24 ? 13 : 9;
      }),
    );
  });

  it.each([-3, -1, 0, 1, 700])("may overlap the output, %i rows ahead", (offset) => {
    const memory = ramp(8000, 0.25);
    const x = memory.subarray(1000, 6000);
    const y = ramp(5000, 0.5);
    const wanted = x.map((value, i) => expected(value, y[i]!));
    const output = memory.subarray(1000 + offset, 6000 + offset);
    interpreter.evaluateColumns(program, [x, y], output);
    expect(output).toEqual(wanted);
  });

  it("of shared memory are accepted", () => {
    const shared = new Float32Array(new SharedArrayBuffer(16)).fill(2);
    expect([...interpreter.evaluateColumns(program, [shared, shared], shared)]).toEqual([7, 7, 7, 7]);
  });

  it("agree with single evaluations", () => {
    const [x, y] = [ramp(50, 0.3), ramp(50, 0.9)];
    const output = interpreter.evaluateColumns(program, [x, y]);
    x.forEach((value, i) => {
      expect(interpreter.evaluate(program, [value, y[i]!])).toBe(output[i]);
    });
    expect(interpreter.evaluate(program, [Number.NaN, 1])).toBeNaN();
  });

  it("are computed again when words or inputs of a program change", () => {
    const words = AstProgram.of(input(0), constant(1), ADD).words.slice();
    const changing = AstProgram.fromWords(words);
    expect(interpreter.evaluate(changing, [1])).toBe(2);
    words[3] = 0x40000000;
    expect(interpreter.evaluate(changing, [1])).toBe(3);
    expect(codeOf(() => interpreter.evaluate(changing, []))).toBe("INPUT_IDX_OUT_OF_BOUNDS");
    expect(interpreter.evaluate(changing, [4, 5])).toBe(6);
  });
});

describe("bad input", () => {
  const program = AstProgram.of(input(0), constant(1), ADD);
  const unknown = { ...TABLE, instructions: [{ ptx: "ad.ftz.f32", name: "ad", args: 2 }] };
  const wrongArity = { ...TABLE, instructions: [{ ptx: "add.ftz.f32", name: "add", args: 3 }] };

  it("names an unknown instruction and suggests the nearest", () => {
    const alone = AstProgram.of(input(0), input(0), ptxInstruction(0, 2));
    const evaluate = () => new AstInterpreter(unknown).evaluate(alone, [1]);
    expect(codeOf(evaluate)).toBe("UNSUPPORTED_INSTRUCTION");
    expect(messageOf(evaluate)).toBe(
      "expected an f32 instruction that can be interpreted, found `ad.ftz.f32`, did you mean `add.ftz.f32`? (instruction 2)",
    );
    const inside = new AstInterpreter(unknown, { routines: [AstProgram.of(input(0)), alone] });
    const call = AstProgram.of(routine(0, 0), routine(1, 1));
    expect(messageOf(() => inside.evaluate(call, [1]))).toContain("(routine 1, instruction 2)");
    expect(codeOf(() => float32Function("add.sat.f32"))).toBe("UNSUPPORTED_INSTRUCTION");
    expect(messageOf(() => float32Function("sqrt.rn.f32"))).not.toContain("sub");
    expect(messageOf(() => float32Function("div.approx.fzt.f32"))).toContain("`div.approx.ftz.f32`?");
  });

  it("names the place of the instruction that runs first, not of an equal one that runs later or never", () => {
    const table = { ...TABLE, instructions: [...unknown.instructions, ...TABLE.instructions] };
    const unsupported = ptxInstruction(0, 2);
    const known = ptxInstruction(MNEMONICS.indexOf("add.ftz.f32") + 1, 2);
    const never = AstProgram.of(constant(1), constant(2), unsupported);
    const runs = AstProgram.of(
      routineArgument(0),
      constant(0),
      known,
      routine(2, 1),
      constant(2),
      unsupported,
    );
    const passes = AstProgram.of(routineArgument(0), returnInstruction, unsupported);
    const inside = new AstInterpreter(table, { routines: [never, runs, passes] });
    const placeOf = (...instructions: Instruction[]) =>
      raised(() => inside.evaluate(AstProgram.of(...instructions), [1])).place;
    const call = [input(0), routine(1, 1)];
    expect(placeOf(...call)).toEqual({ routine: 1, instruction: 5 });
    expect(placeOf(...call, input(0), unsupported)).toEqual({ routine: 1, instruction: 5 });
    expect(placeOf(input(0), input(0), unsupported, routine(1, 1))).toEqual({
      routine: undefined,
      instruction: 2,
    });
  });

  it("refuses a table that has an instruction with another number of arguments", () => {
    const alone = AstProgram.of(input(0), input(0), input(0), ptxInstruction(0, 3));
    const evaluate = () => new AstInterpreter(wrongArity).evaluate(alone, [1]);
    expect(messageOf(evaluate)).toBe("expected 2 arguments for `add.ftz.f32`, found 3 (instruction 3)");
    expect(codeOf(evaluate)).toBe("UNSUPPORTED_INSTRUCTION");
  });

  it("reports wrong columns", () => {
    const one = new Float32Array(1);
    const two = new Float32Array(2);
    const moved = AstProgram.fromWords(transferred(new Uint32Array(2)));
    const messages = [
      () => interpreter.evaluateColumns(program, [one, two]),
      () => interpreter.evaluateColumns(program, [one], two),
      () => interpreter.evaluateColumns(program, []),
      () => interpreter.evaluateColumns(program, [[1] as unknown as Float32Array]),
      () => interpreter.evaluateColumns(program, one as unknown as Float32Array[]),
      () => interpreter.evaluateColumns(program, [new Float64Array(1) as unknown as Float32Array]),
      () => interpreter.evaluate(program, ["1" as unknown as number]),
      () => interpreter.evaluate(program, 1 as unknown as number[]),
      () => interpreter.evaluate({} as AstProgram, [1]),
      () => new AstInterpreter(TABLE, { limit: 1 } as object),
      () => float32Function("neg.f32")(1, 2),
      () => float32Function("neg.f32")("1" as unknown as number),
      () => float32Function(null as unknown as string),
      () => interpreter.evaluate(moved, [1]),
    ].map((action) => `${codeOf(action)}: ${messageOf(action)}`);
    expect(messages).toEqual([
      "INVALID_ARGUMENT: expected 1 row as in the first column, found 2 in column 1",
      "INVALID_ARGUMENT: expected 1 row as in the first column, found 2 in the output",
      "INVALID_ARGUMENT: expected a column or an output, which say how many rows there are",
      "INVALID_ARGUMENT: expected a column as a Float32Array, found an array",
      "INVALID_ARGUMENT: expected `columns` as an array of Float32Array, found an object of Float32Array",
      "INVALID_ARGUMENT: expected a column as a Float32Array, found an object of Float64Array",
      "INVALID_ARGUMENT: expected `inputs` as an array of numbers, found `1`",
      "INVALID_ARGUMENT: expected `inputs` as an array of numbers, found 1",
      "INVALID_ARGUMENT: expected an AstProgram, found an object",
      "INVALID_ARGUMENT: unknown option `limit`, did you mean `limits`?",
      "INVALID_ARGUMENT: expected 1 argument for `neg.f32`, found 2",
      "INVALID_ARGUMENT: expected a number as argument, found `1`",
      "INVALID_ARGUMENT: expected a mnemonic as text, found null",
      "INVALID_ARGUMENT: expected a program in memory of this thread, found one whose buffer was transferred",
    ]);
  });
});
