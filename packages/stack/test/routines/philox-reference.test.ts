// The text of the Philox routines, compared with that of mm-ptx 1.1.1: its cases, and programs in general, for which
// its routines run beside ours. Its table has fewer stacks and instructions, so words and text are translated.
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { stacks, table } from "../../src/generated/default/index.js";
import { philox, register, StackCompiler, StackProgram } from "../../src/index.js";

interface Vectors {
  /** The words of each routine. */
  readonly routines: Readonly<Record<string, readonly string[]>>;
  readonly registers: readonly { readonly name: string; readonly stack: number }[];
  readonly cases: readonly {
    readonly about: string;
    readonly words: readonly string[];
    readonly requests: readonly number[];
    readonly text: string;
  }[];
}

const vectors: Vectors = JSON.parse(readFileSync(new URL("../vectors/philox.json", import.meta.url), "utf8"));

/** The stacks and instructions of the vectors' table, by index. */
const STACKS = ["F32", "U32", "PHILOX"] as const;
const INSTRUCTIONS: Readonly<Record<number, readonly [ptx: string, result: (typeof STACKS)[number]]>> = {
  4: ["add.u32", "PHILOX"],
  5: ["xor.b32", "PHILOX"],
  6: ["mov.b32", "U32"],
  7: ["mul.lo.u32", "PHILOX"],
  8: ["mul.hi.u32", "PHILOX"],
  12: ["mul.ftz.f32", "F32"],
  13: ["fma.rn.ftz.f32", "F32"],
  20: ["sqrt.approx.ftz.f32", "F32"],
  22: ["sin.approx.ftz.f32", "F32"],
  23: ["cos.approx.ftz.f32", "F32"],
  24: ["lg2.approx.ftz.f32", "F32"],
  32: ["cvt.rn.f32.u32", "F32"],
};
const PTX = 1;
const WITH_STACK = [2, 5, 11];

const stackOf = (index: number): number => stacks[STACKS[index]!];

function instructionOf(index: number): number {
  const [ptx, result] = INSTRUCTIONS[index]!;
  const isOn = (argType: number, stack: number): boolean => table.argTypes[argType]?.stackIndex === stack;
  const argument = ptx === "mov.b32" ? stacks.PHILOX : ptx.startsWith("cvt") ? stacks.U32 : stacks[result];
  return table.instructions.findIndex(
    (one) => one.ptx === ptx && isOn(one.results[0]!, stacks[result]) && isOn(one.args[0]!, argument),
  );
}

/** Words of the vectors' table as words of ours. */
function translated(hex: readonly string[]): StackProgram {
  const words = hex.flatMap((each) => {
    const bytes = Buffer.from(each, "hex");
    const [type, aux, payload] = [bytes.readUInt16LE(0), bytes.readUInt16LE(2), bytes.readUInt32LE(4)];
    const stack = WITH_STACK.includes(type) ? stackOf(aux) : aux;
    return [type | (stack << 16), type === PTX ? instructionOf(payload) : payload];
  });
  return StackProgram.fromWords(Uint32Array.from(words));
}

const registers = vectors.registers.map(({ name, stack }) => register(name, stackOf(stack)));
const library = philox(table);
const theirs = Object.values(vectors.routines).map(translated);

it("the routines have the order of mm-ptx 1.1.1", () => {
  expect(library.names).toEqual(Object.keys(vectors.routines));
});

describe("the text of mm-ptx 1.1.1", () => {
  const compiler = new StackCompiler(table, { routines: library.routines, limits: "reference" });

  it.each(vectors.cases)("is that of $about", ({ words, requests, text }) => {
    const stub = compiler.compile(translated(words), { registers, requests });
    expect(stub.replaceAll(`%_s${stacks.PHILOX}_`, "%_s2_")).toBe(text);
  });

  it("is that of all programs, whatever is on the stacks", () => {
    // Its routines call each other, ours do not.
    const nested = new StackCompiler(table, { routines: theirs, limits: { maxFrameDepth: 8 } });
    const flat = new StackCompiler(table, { routines: library.routines, limits: { maxFrameDepth: 2 } });
    const numbers = registers.flatMap(({ stackIndex }, index) => (stackIndex === stacks.F32 ? [] : [index]));
    const call = fc.constantFrom(...library.names).map((name) => library.call(name));
    const input = fc.constantFrom(...numbers).map((payload) => ({ head: 3, payload }));
    const slot = fc.constantFrom(10, 11, 12, 13, 14, 15).map((payload) => ({ head: 12, payload }));
    const instruction = fc.oneof({ weight: 3, arbitrary: call }, { weight: 3, arbitrary: input }, slot);
    const requests = fc.array(fc.nat(registers.length - 1), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(instruction, { maxLength: 12 }), requests, (body, wanted) => {
        const program = StackProgram.of(...body);
        const job = { registers, requests: wanted };
        expect(flat.compile(program, job)).toBe(nested.compile(program, job));
      }),
      { numRuns: cases(3_000) },
    );
  });
});
