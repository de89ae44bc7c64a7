// Every error that a compile can end with: its code, its message, and the instruction that it names.
import { describe, expect, it } from "vitest";
import {
  type AstCompileJob,
  AstCompiler,
  type AstCompilerOptions,
  AstProgram,
  type AstPtxErrorCode,
  type Instruction,
  input,
  ptxInstruction,
  returnInstruction,
  routine,
  routineArgument,
} from "../src/index.js";
import {
  add,
  clock,
  complaint,
  fma,
  JOB,
  neg,
  raised,
  raw,
  SMALL_TABLE,
  transferred,
} from "./support/small-table.js";

function compiling(instructions: Instruction[], options: AstCompilerOptions = {}, job: AstCompileJob = JOB) {
  return () => new AstCompiler(SMALL_TABLE, options).compile(AstProgram.of(...instructions), job);
}

const routines = (...bodies: Instruction[][]) => bodies.map((body) => AstProgram.of(...body));
const [x, y] = [input(0), input(1)];

describe("errors of an instruction", () => {
  it.each<[string, AstPtxErrorCode, string, Instruction[], AstCompilerOptions]>([
    [
      "an invalid type",
      "BAD_INSTRUCTION_MAYBE_FORGOT_RETURN",
      "expected a known instruction type, found 0 (instruction 1)",
      [x, raw(0)],
      {},
    ],
    [
      "a type of the reference's own",
      "BAD_INSTRUCTION_MAYBE_FORGOT_RETURN",
      "expected a known instruction type, found 7 (instruction 0)",
      [raw(7)],
      {},
    ],
    [
      "a return that comes too late",
      "BAD_INSTRUCTION_MAYBE_FORGOT_RETURN",
      "expected a return within 2 instructions (limit `maxInstructions`) (instruction 2)",
      [x, neg],
      { limits: { maxInstructions: 2 } },
    ],
    [
      "a return that comes too late in a routine",
      "BAD_INSTRUCTION_MAYBE_FORGOT_RETURN",
      "expected a return within 2 instructions (limit `maxInstructions`) (routine 0, instruction 2)",
      [routine(0, 0)],
      { limits: { maxInstructions: 2 }, routines: routines([x, neg, returnInstruction]) },
    ],
    [
      "an input that is written",
      "INPUT_IDX_OUT_OF_BOUNDS",
      "input 7 is out of range, the program has 2 inputs (instruction 2)",
      [x, input(7), add],
      {},
    ],
    [
      "an input that is the value",
      "INPUT_IDX_OUT_OF_BOUNDS",
      "input 4294967295 is out of range, the program has 2 inputs (instruction 1)",
      [input(0xffffffff)],
      {},
    ],
    [
      "an argument that is an input which does not exist",
      "INPUT_IDX_OUT_OF_BOUNDS",
      "input 2 is out of range, the program has 2 inputs (routine 0, instruction 1)",
      [input(2), routine(0, 1)],
      { routines: routines([routineArgument(0), neg]) },
    ],
    [
      "a PTX instruction that is not there",
      "PTX_INSTRUCTION_IDX_OUT_OF_BOUNDS",
      "ptx instruction 4 is out of range, the table has 4 instructions (instruction 1)",
      [x, ptxInstruction(4, 1)],
      {},
    ],
    [
      "another number of arguments than the table says",
      "INVALID_VALUE",
      "expected 2 arguments for `add.f32`, found 1 (instruction 1)",
      [x, ptxInstruction(1, 1)],
      {},
    ],
    ["too few values", "STACK_UNDERFLOW", "expected 2 values to take, found 1 (instruction 1)", [x, add], {}],
    [
      "too few values for a routine",
      "STACK_UNDERFLOW",
      "expected 1 value to take, found none (instruction 0)",
      [routine(0, 1)],
      { routines: routines([x]) },
    ],
    [
      "too many values",
      "STACK_OVERFLOW",
      "expected at most 1 value at a time (limit `maxStackDepth`), found one more (instruction 1)",
      [x, y, add],
      { limits: { maxStackDepth: 1 } },
    ],
    [
      "too many values by an instruction without arguments",
      "STACK_OVERFLOW",
      "expected at most 0 values at a time (limit `maxStackDepth`), found one more (instruction 0)",
      [clock],
      { limits: { maxStackDepth: 0 } },
    ],
    [
      "too many arguments, whatever the instruction",
      "TOO_MANY_ARGS",
      "expected at most 4 arguments (limit `maxArgs`), found 5 (instruction 0)",
      [ptxInstruction(99, 5)],
      { limits: "reference" },
    ],
    [
      "too many arguments of a routine, whatever the routine",
      "TOO_MANY_ARGS",
      "expected at most 4 arguments (limit `maxArgs`), found 5 (instruction 0)",
      [routine(99, 5)],
      { limits: "reference" },
    ],
    [
      "too many arguments of an instruction that the table allows",
      "TOO_MANY_ARGS",
      "expected at most 2 arguments (limit `maxArgs`), found 3 (instruction 3)",
      [x, x, x, fma],
      { limits: { maxArgs: 2 } },
    ],
    [
      "a routine that is not there",
      "ROUTINE_IDX_OUT_OF_BOUNDS",
      "routine 1 is out of range, the compiler has 1 routine (instruction 0)",
      [routine(1, 0)],
      { routines: routines([x]) },
    ],
    [
      "a routine argument in the main program",
      "ROUTINE_ARG_IDX_OUT_OF_BOUNDS",
      "routine argument 0 is out of range, the main program has none (instruction 0)",
      [routineArgument(0)],
      {},
    ],
    [
      "a routine argument that was not given",
      "ROUTINE_ARG_IDX_OUT_OF_BOUNDS",
      "routine argument 1 is out of range, the routine has 1 argument (routine 0, instruction 0)",
      [x, routine(0, 1)],
      { routines: routines([routineArgument(1)]) },
    ],
    [
      "a routine that runs itself",
      "ROUTINE_DEPTH_EXCEEDED",
      "expected routines that end, found one that runs itself (routine 0, instruction 0)",
      [routine(0, 0)],
      { routines: routines([routine(0, 0)]) },
    ],
    [
      "routines that run each other",
      "ROUTINE_DEPTH_EXCEEDED",
      "expected routines that end, found one that runs itself (routine 1, instruction 0)",
      [routine(0, 0)],
      { routines: routines([routine(1, 0)], [routine(0, 0)]) },
    ],
    [
      "a routine that runs itself within any limit",
      "ROUTINE_DEPTH_EXCEEDED",
      "expected routines that end, found one that runs itself (routine 0, instruction 1)",
      [routine(0, 0)],
      {
        routines: routines([x, routine(0, 0)]),
        limits: { maxRoutineDepth: 2 ** 31, maxInlined: Number.POSITIVE_INFINITY },
      },
    ],
    [
      "a routine that runs itself where the reference does, at the reference's depth",
      "STACK_OVERFLOW",
      "expected at most 4 values at a time (limit `maxStackDepth`), found one more (routine 0, instruction 0)",
      [routine(0, 0)],
      { routines: routines([x, routine(0, 0)]), limits: { maxRoutineDepth: 8, maxStackDepth: 4 } },
    ],
    [
      "routines inside each other beyond the limit, before too few values",
      "ROUTINE_DEPTH_EXCEEDED",
      "expected at most 1 routine inside each other (limit `maxRoutineDepth`), found one more (routine 0, instruction 0)",
      [routine(0, 0)],
      { routines: routines([routine(1, 1)], [x]), limits: { maxRoutineDepth: 1 } },
    ],
    [
      "routines that multiply",
      "INLINE_LIMIT_EXCEEDED",
      "expected at most 2 instructions in routines that run again (limit `maxInlined`), found more (instruction 2)",
      [routine(0, 0), neg, routine(0, 0), add],
      { routines: routines([x, neg]), limits: { maxInlined: 2 } },
    ],
    [
      "no value at the end",
      "INVALID_VALUE",
      "expected the program to leave exactly one value, found 0 (instruction 0)",
      [],
      {},
    ],
    [
      "two values at the end",
      "INVALID_VALUE",
      "expected the program to leave exactly one value, found 2 (instruction 2)",
      [x, y, returnInstruction],
      {},
    ],
    [
      "a routine that takes a value of its caller",
      "INVALID_VALUE",
      "expected the routine to leave exactly one value, found 0 (routine 0, instruction 1)",
      [x, y, routine(0, 1)],
      { routines: routines([neg]) },
    ],
    [
      "a routine that takes more values of its caller",
      "INVALID_VALUE",
      "expected the routine to leave exactly one value, found 1 value of its caller taken (routine 0, instruction 1)",
      [x, y, routine(0, 0)],
      { routines: routines([add]) },
    ],
  ])("names %s", (_, code, message, instructions, options) => {
    for (const webAssembly of [true, false]) {
      expect(complaint(compiling(instructions, { ...options, webAssembly }))).toBe(`${code}: ${message}`);
    }
  });

  it("has the place as numbers", () => {
    const options = { routines: routines([x, routineArgument(0)]) };
    expect(raised(compiling([x, routine(0, 0)], options)).place).toEqual({ routine: 0, instruction: 1 });
    expect(raised(compiling([x, neg, add])).place).toEqual({ routine: undefined, instruction: 2 });
  });
});

describe("wrong arguments", () => {
  const compiler = new AstCompiler(SMALL_TABLE);
  const program = AstProgram.of(x);

  it.each<[string, () => unknown]>([
    [
      "expected an AST PTX table, found an object",
      () => new AstCompiler({ ...SMALL_TABLE, kind: "stack" } as never),
    ],
    ["expected an AST PTX table, found an object", () => new AstCompiler({ kind: "ast" } as never)],
    ["expected an AST PTX table, found undefined", () => new AstCompiler(undefined as never)],
    ["expected options as an object, found null", () => new AstCompiler(SMALL_TABLE, null as never)],
    [
      "unknown option `routine`, did you mean `routines`?",
      () => new AstCompiler(SMALL_TABLE, { routine: [] } as never),
    ],
    [
      "option `routines`: expected a list of programs, found an object",
      () => new AstCompiler(SMALL_TABLE, { routines: {} } as never),
    ],
    [
      "expected a routine as an AstProgram, found an array",
      () => new AstCompiler(SMALL_TABLE, { routines: [[]] } as never),
    ],
    [
      "option `webAssembly`: expected a boolean, found 1",
      () => new AstCompiler(SMALL_TABLE, { webAssembly: 1 } as never),
    ],
    [
      "unknown limit `maxStackDeph`, did you mean `maxStackDepth`?",
      () => new AstCompiler(SMALL_TABLE, { limits: { maxStackDeph: 1 } as never }),
    ],
    [
      "option `limits`: expected limits by name or `reference`, found `c`",
      () => new AstCompiler(SMALL_TABLE, { limits: "c" as never }),
    ],
    [
      "option `limits.maxArgs`: expected a whole number of at least 0 or Infinity, found -1",
      () => new AstCompiler(SMALL_TABLE, { limits: { maxArgs: -1 } }),
    ],
    [
      "option `limits.maxArgs`: expected a whole number of at least 0 or Infinity, found 0.5",
      () => new AstCompiler(SMALL_TABLE, { limits: { maxArgs: 0.5 } }),
    ],
    [
      "option `limits`: expected limits by name or `reference`, found an array",
      () => new AstCompiler(SMALL_TABLE, { limits: [] as never }),
    ],
    [
      "option `limits`: expected limits by name or `reference`, found an object of Map",
      () => new AstCompiler(SMALL_TABLE, { limits: new Map() as never }),
    ],
    [
      "expected options as an object, found an object of Map",
      () => new AstCompiler(SMALL_TABLE, new Map() as never),
    ],
    ["expected an AstProgram, found an array", () => compiler.compile([] as never, JOB)],
    [
      "expected a program in memory of this thread, found one whose buffer was transferred",
      () => compiler.compile(AstProgram.fromWords(transferred(new Uint32Array(2))), JOB),
    ],
    [
      "expected two words per instruction, found 3 words: the last instruction is truncated",
      () => {
        // A view of a buffer that was shrunk since, which TypeScript's library does not declare yet.
        const resized = Object.assign(Object.create(AstProgram.prototype), { words: new Uint32Array(3) });
        compiler.compile(resized, JOB);
      },
    ],
    ...["x.", "a..b", "a.b", ".", ".x", "tid.x.y"].map((name): [string, () => unknown] => [
      `expected a register name without \`%\`, found \`${name}\``,
      () => compiler.compile(program, { ...JOB, inputs: [name] }),
    ]),
    ["expected a job with `inputs` and `output`, found null", () => compiler.compile(program, null as never)],
    [
      "unknown property `outputs` of a job, did you mean `output`?",
      () => compiler.compile(program, { ...JOB, outputs: [] } as never),
    ],
    [
      "expected `inputs` as an array of register names, found `x`",
      () => compiler.compile(program, { ...JOB, inputs: "x" } as never),
    ],
    [
      "expected a register name without `%`, found `%x`",
      () => compiler.compile(program, { ...JOB, inputs: ["%x"] }),
    ],
    [
      "expected a register name without `%`, found undefined",
      () => compiler.compile(program, { inputs: ["x"] } as never),
    ],
    [
      "expected a register name without `%`, found ``",
      () => compiler.compile(program, { ...JOB, output: "" }),
    ],
    [
      "expected a register name that stubs do not declare themselves, found `ast12`",
      () => compiler.compile(program, { ...JOB, inputs: ["x", "ast12"] }),
    ],
    [
      "expected a Uint8Array to write to, found an array",
      () => compiler.compileInto(program, JOB, [] as never),
    ],
  ])("are refused: %s", (message, act) => {
    expect(complaint(act)).toBe(`INVALID_ARGUMENT: ${message}`);
  });

  it("leave the compiler usable", () => {
    const text = "{\nmov.f32 %z, %x;\n}";
    expect(compiler.compile(program, JOB)).toBe(text);
    for (const job of [
      { ...JOB, inputs: ["%"] },
      { ...JOB, output: "%" },
    ]) {
      expect(raised(() => compiler.compile(program, job)).code).toBe("INVALID_ARGUMENT");
      expect(compiler.compile(program, JOB)).toBe(text);
    }
    expect(raised(() => compiler.compile(AstProgram.of(x, neg, raw(9)), JOB)).place?.instruction).toBe(2);
    expect(compiler.compile(program, JOB)).toBe(text);
  });
});
