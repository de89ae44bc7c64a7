// The contents of a checked program: registers, variables with their places and bytes, instructions with their
// operands, calls.
import { describe, expect, it } from "vitest";
import { checkProgram, type EmulatorError } from "../../src/index.js";
import type { Program, ProgramFunction } from "../../src/program/program.js";

const HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n";

/** A program with one kernel that consists of these lines. */
function programOf(lines: string, globals = "", params = ".param .u64 data, .param .u32 count"): Program {
  return checkProgram(
    `${HEAD}${globals}\n.visible .entry kernel(${params})\n{\n\t.reg .pred %p<4>;\n\t.reg .b16 %h<4>;\n\t.reg .b32 %r<8>;\n` +
      `\t.reg .f32 %f<8>;\n\t.reg .b64 %rd<8>;\n\t.reg .f64 %fd<4>;\n${lines}\n\tret;\n}\n`,
  );
}

const kernelOf = (program: Program): ProgramFunction =>
  program.functions.find(({ kind }) => kind === "entry")!;
const firstOf = (line: string) => kernelOf(programOf(line)).instructions[0]!;

describe("instructions", () => {
  it("have their modifiers by slot and their types in order", () => {
    expect(firstOf("cvt.rn.ftz.sat.f32.s32 %f1, %r1;")).toMatchObject({
      operation: {
        name: "cvt",
        opcode: "cvt.rn.ftz.sat.f32.s32",
        modifiers: { rnd: "rn", ftz: "ftz", sat: "sat" },
        types: ["f32", "s32"],
        operandTypes: ["f32", "s32"],
        results: 1,
      },
      guard: undefined,
    });
    expect(firstOf("add.f32.ftz.rn %f1, %f2, %f3;").operation).toMatchObject({
      modifiers: { rnd: "rn", ftz: "ftz" },
    });
    expect(firstOf("ld.shared::cta.v2.b32 {%r1, %r2}, [%r3];").operation).toMatchObject({
      modifiers: { ss: "shared", vec: "v2" },
    });
  });

  it("have operands with separate types", () => {
    expect(firstOf("mul.wide.s32 %rd1, %r1, %r2;").operation.operandTypes).toEqual(["s64", "s32", "s32"]);
    expect(firstOf("shl.b64 %rd1, %rd2, 3;").operation.operandTypes).toEqual(["b64", "b64", "u32"]);
    expect(firstOf("selp.f32 %f1, %f2, %f3, %p1;").operation.operandTypes).toEqual([
      "f32",
      "f32",
      "f32",
      "pred",
    ]);
  });

  it("have sinks for absent operands that others follow", () => {
    const sinks = (line: string) => firstOf(line).operands.map(({ kind }) => kind);
    expect(sinks("setp.eq.u32 %p1, %r1, %r2;")).toEqual(["register", "sink", "register", "register"]);
    expect(sinks("setp.eq.u32 %p1|%p2, %r1, %r2;")).toEqual(["register", "register", "register", "register"]);
    expect(sinks("bar.red.popc.u32 %r1, 0, !%p1;")).toEqual(["register", "immediate", "sink", "register"]);
    expect(sinks("bar.sync 0;")).toEqual(["immediate"]);
    expect(sinks("bar.sync 0, 64;")).toEqual(["immediate", "immediate"]);
    expect(sinks("atom.global.add.u32 _, [%rd1], 1;")).toEqual(["sink", "address", "immediate"]);
    expect(firstOf("setp.eq.u32 %p1, %r1, %r2;").operation.results).toBe(2);
  });

  it.each<[string, bigint]>([
    ["mov.b32 %r1, -1;", 0xffff_ffffn],
    ["mov.b16 %h1, -1;", 0xffffn],
    ["mov.u64 %rd1, -1;", 0xffff_ffff_ffff_ffffn],
    ["add.s32 %r1, %r2, 5000000000;", 5_000_000_000n & 0xffff_ffffn],
    ["mov.f32 %f1, 0f7FC00001;", 0x7fc0_0001n],
    ["mov.f32 %f1, 1.5;", 0x3fc0_0000n],
    ["mov.f32 %f1, 0.1;", 0x3dcc_cccdn],
    ["mov.f64 %fd1, 0f3FC00000;", 0x3ff8_0000_0000_0000n],
    ["mov.b32 %r1, 0f3F800000;", 0x3f80_0000n],
    ["mov.b64 %rd1, 1.0;", 0x3ff0_0000_0000_0000n],
    ["mov.pred %p1, 5;", 1n],
    ["mov.u32 %r1, WARP_SZ;", 32n],
  ])("%s has the constant %#x", (line, bits) => {
    expect(firstOf(line).operands.at(-1)).toEqual({ kind: "immediate", bits });
  });

  it("have guards, special registers, addresses and vectors", () => {
    const { registers } = kernelOf(programOf("@!%p2 mov.u32 %r1, %ctaid.y;"));
    const guarded = firstOf("@!%p2 mov.u32 %r1, %ctaid.y;");
    expect(guarded.guard).toEqual({ register: 0, negated: true });
    expect(registers).toEqual([
      { name: "%p2", type: "pred" },
      { name: "%r1", type: "b32" },
    ]);
    expect(guarded.operands[1]).toEqual({ kind: "special", name: "ctaid", component: 1 });
    const load = firstOf("ld.global.v4.f32 {%f1, _, %f2, %f1}, [%rd1+-16];");
    const register = (index: number) => ({ kind: "register", register: index, negated: false });
    expect(load.operands).toEqual([
      { kind: "vector", items: [register(0), { kind: "sink" }, register(1), register(0)] },
      { kind: "address", base: register(2), offset: -16 },
    ]);
  });

  it("know where labels are, inside scopes and at the end", () => {
    const { instructions } = kernelOf(
      programOf("bra END;\nAGAIN: { .reg .u32 x; mov.u32 x, 1; bra AGAIN; }\n@%p1 bra AGAIN;\nEND:"),
    );
    const targets = instructions.flatMap(({ operands: [operand] }) =>
      operand?.kind === "label" ? [operand.target] : [],
    );
    expect(targets).toEqual([4, 1, 1]);
    expect(instructions.map(({ operation }) => operation.name)).toEqual(["bra", "mov", "bra", "bra", "ret"]);
  });

  it("go where lists of labels point", () => {
    const { instructions } = kernelOf(
      programOf("LIST: .branchtargets ONE, TWO, ONE;\nbrx.idx %r1, LIST;\nONE: add.s32 %r1, %r1, 1;\nTWO:"),
    );
    expect(instructions[0]).toMatchObject({ branchTargets: [1, 2, 1], operation: { results: 0 } });
    expect(instructions[0]!.operands).toHaveLength(1);
  });
});

describe("variables", () => {
  it("have the places that the layout of kernel parameters gives them", () => {
    const params = ".param .u8 a, .param .u64 b, .param .align 16 .b8 c[20], .param .f32 d";
    const kernel = kernelOf(programOf("", "", params));
    expect(kernel.parameters.map((index) => kernel.variables[index]!)).toMatchObject([
      { name: "a", offset: 0, bytes: 1 },
      { name: "b", offset: 8, bytes: 8 },
      { name: "c", offset: 16, bytes: 20, align: 16 },
      { name: "d", offset: 36, bytes: 4 },
    ]);
    expect(kernel.parameterBytes).toBe(40);
    expect(kernel.frameBytes).toBe(0);
  });

  it("of calls share memory, but local ones do not", () => {
    const call = "{ .param .b64 in; .param .align 16 .b8 many[32]; }";
    const kernel = kernelOf(
      programOf(`.local .align 8 .b8 depot[20];\n${call}\n${call}\n{ .local .b32 inner; }`),
    );
    const places = kernel.variables.slice(2).map(({ name, space, offset }) => [name, space, offset]);
    expect(places).toEqual([
      ["depot", "local", 0],
      ["in", "param", 32],
      ["many", "param", 48],
      ["in", "param", 32],
      ["many", "param", 48],
      ["inner", "local", 20],
    ]);
    expect(kernel.frameBytes).toBe(80);
  });

  it("have their first bytes and the addresses in them", () => {
    const { variables, functions } = programOf(
      "mov.u64 %rd1, f;",
      '.func f() { ret; }\n.const .u16 halves[4] = {1, -2};\n.global .f32 one = 1.0;\n.global .b8 text[] = "hi";\n' +
        ".global .u32 grid[2][3] = {{1}, {2, 3}};\n.global .v2 .f32 pair = {1.0, 0f40000000};\n" +
        ".global .u64 places[3] = {0, generic(halves)+2, f};\n.global .u8 none[5];\n",
    );
    const bytes = Object.fromEntries(
      variables.map((variable) => [variable.name, variable.initial && [...variable.initial]]),
    );
    expect(bytes).toEqual({
      halves: [1, 0, 0xfe, 0xff],
      one: [0, 0, 0x80, 0x3f],
      text: [104, 105, 0],
      grid: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0],
      pair: [0, 0, 0x80, 0x3f, 0, 0, 0, 0x40],
      places: new Array(24).fill(0),
      none: undefined,
    });
    expect(variables.map(({ name, bytes: size }) => [name, size])).toEqual([
      ["halves", 8],
      ["one", 4],
      ["text", 3],
      ["grid", 24],
      ["pair", 8],
      ["places", 24],
      ["none", 5],
    ]);
    const [halves, f] = [
      { kind: "module-variable", variable: 0 },
      { kind: "function", function: 0 },
    ];
    expect(variables[5]!.relocations).toEqual([
      { at: 8, size: 8, addend: 2, generic: true, target: halves },
      { at: 16, size: 8, addend: 0, generic: false, target: f },
    ]);
    expect(functions[0]!.name).toBe("f");
  });

  it("in shared memory are placed for each kernel that reaches them", () => {
    const { functions, variables } = checkProgram(
      `${HEAD}.extern .shared .align 32 .b8 dynamic[];\n.shared .b8 a[3];\n.shared .f64 b;\n.shared .u32 unused;\n` +
        `.func inner() { .shared .u32 own; .reg .u32 %r; ld.shared.u32 %r, [own]; ret; }\n` +
        `.func outer() { call inner; ret; }\n` +
        `.entry first() { .reg .u32 %r; .reg .f64 %d; mov.u32 %r, a; ld.shared.f64 %d, [b]; ret; }\n` +
        `.entry second() { .reg .u32 %r; mov.u32 %r, dynamic; call outer; ret; }\n` +
        `.entry third() { .reg .u64 %rd; mov.u64 %rd, inner; call %rd, p; p: .callprototype _; ret; }\n`,
    );
    const placed = Object.fromEntries(
      functions.map(({ name, shared, sharedBytes }) => [
        name,
        [sharedBytes, ...shared.map(({ variable, offset }) => `${variables[variable]!.name}@${offset}`)],
      ]),
    );
    expect(placed).toEqual({
      inner: [0],
      outer: [0],
      first: [16, "a@0", "b@8"],
      second: [32, "own@0", "dynamic@32"],
      third: [16, "own@0"],
    });
    expect(functions.map(({ calls }) => calls)).toEqual([[], [0], [], [1], []]);
  });
});

describe("calls", () => {
  const callOf = (lines: string, globals: string) =>
    kernelOf(programOf(lines, globals)).instructions.find(({ call }) => call !== undefined)!.call!;
  const TWICE = ".func (.reg .u32 out) twice (.reg .u32 in) { add.u32 out, in, in; ret; }";

  it("pass registers and constants to functions with registers", () => {
    const call = callOf("call (%r2), twice, (7);", TWICE);
    expect(call).toEqual({
      callee: { kind: "function", function: 0 },
      results: [{ kind: "register", register: 0, negated: false }],
      args: [{ kind: "immediate", bits: 7n }],
    });
    const [twice] = programOf("", TWICE).functions;
    expect(twice).toMatchObject({
      registerResults: [0],
      registerParameters: [1],
      results: [],
      parameters: [],
    });
  });

  it("pass variables to functions with variables", () => {
    const globals = ".func (.param .b32 out) f (.param .b64 in) { st.param.b32 [out], 1; ret; }";
    const call = callOf("{ .param .b64 a; .param .b32 b; call.uni (b), f, (a); }", globals);
    expect([...call.results, ...call.args]).toEqual([
      { kind: "variable", variable: { kind: "function-variable", variable: 3 }, offset: 0 },
      { kind: "variable", variable: { kind: "function-variable", variable: 2 }, offset: 0 },
    ]);
    const [f] = programOf("", globals).functions;
    expect(f).toMatchObject({ results: [0], parameters: [1], frameBytes: 16 });
    expect(f!.variables.map(({ offset }) => offset)).toEqual([0, 8]);
  });

  it("go to aliases, to lists of functions, and to built-in functions", () => {
    const alias = callOf(
      "call (%r2), again, (7);",
      `${TWICE}\n.func (.reg .u32 out) again (.reg .u32 in);\n.alias again, twice;`,
    );
    expect(alias.callee).toEqual({ kind: "function", function: 0 });
    const listed = callOf("call (%r2), %rd1, (7), L;\nL: .calltargets twice;", TWICE);
    expect(listed.callee).toEqual({ kind: "register", register: 0, targets: [0] });
    const vprintf = ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);";
    const printing = callOf(
      "{ .param .b64 a; .param .b64 b; .param .b32 r; call.uni (r), vprintf, (a, b); }",
      vprintf,
    );
    expect(printing.callee).toEqual({ kind: "builtin", name: "vprintf" });
  });
});

it("a range of registers costs only what is used of it", () => {
  const { registers } = checkProgram(
    `${HEAD}.entry k() { .reg .b32 %r<2000000000>; mov.u32 %r1999999999, 1; ret; }`,
  ).functions[0]!;
  expect(registers).toEqual([{ name: "%r1999999999", type: "b32" }]);
});

it("names of inner scopes hide those around them", () => {
  const { registers, instructions } = kernelOf(
    programOf("mov.u32 %r1, 1;\n{ .reg .f32 %r1; mov.f32 %r1, 1.0; }\nmov.u32 %r1, 2;"),
  );
  expect(registers.map(({ type }) => type)).toEqual(["b32", "f32"]);
  expect(
    instructions.map(({ operands: [operand] }) => operand?.kind === "register" && operand.register),
  ).toEqual([0, 1, 0, false]);
});

it("keeps what a kernel says about its launches", () => {
  const { functions } = checkProgram(`${HEAD}.entry k()\n.maxntid 128, 2, 1\n.minnctapersm 2\n{ ret; }`);
  expect(functions[0]!.directives).toEqual([
    { name: ".maxntid", values: [128, 2, 1] },
    { name: ".minnctapersm", values: [2] },
  ]);
});

it("ignores debug data, pragmas, comments and places in sources", () => {
  const { instructions } = kernelOf(
    checkProgram(
      `${HEAD}.file 1 "a.cu"\n.entry k() { .loc 1 2 3\n .pragma "nounroll";\n// begin inline asm\nret; }\n.section .debug_str { L: .b8 1,2\n }\n`,
    ),
  );
  expect(instructions.map(({ operation }) => operation.name)).toEqual(["ret"]);
});

it.each([
  ["SYNTAX", "add.s32 %r1, %r2, (1;"],
  ["UNKNOWN_INSTRUCTION", "ad.s32 %r1, %r2, %r3;"],
  ["WRONG_MODIFIER", "add.sat.u32 %r1, %r2, %r3;"],
  ["WRONG_OPERANDS", "add.s32 %r1, %r2;"],
  ["WRONG_TYPE", "add.s32 %r1, %f2, %r3;"],
  ["UNDECLARED", "add.s32 %r1, %r2, %x;"],
  ["DUPLICATE", ".reg .u32 one, one;"],
  ["OUT_OF_RANGE", "bar.sync 16;"],
  ["TARGET_TOO_LOW", "min.f32 %f1, %f2, %f3, %f4;"],
])("a problem has the code %s: %s", (code, line) => {
  expect(() => programOf(line)).toThrow(
    expect.objectContaining({ code, problems: [expect.objectContaining({ code })] }),
  );
});

it("notes what the emulator does not support", () => {
  const { notes, functions } = programOf("tcgen05.wait::ld.sync.aligned;");
  expect(notes).toMatchObject([{ code: "UNSUPPORTED", line: 13, column: 1 }]);
  expect(functions[0]!.unsupported).toEqual(notes);
});

it("an error lists every problem with its place", () => {
  let error: EmulatorError | undefined;
  try {
    programOf("add.s32 %r1, %r9, 1;\nwgmma.fence.sync.aligned;");
  } catch (caught) {
    error = caught as EmulatorError;
  }
  expect(error).toMatchObject({
    name: "EmulatorError",
    code: "UNDECLARED",
    problems: [
      { code: "UNDECLARED", line: 13, column: 14 },
      { code: "UNSUPPORTED", line: 14, column: 1 },
    ],
  });
});
