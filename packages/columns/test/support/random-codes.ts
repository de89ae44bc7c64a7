// Random codes: trees and graphs of instructions that compute f32, u32 and predicates from three inputs, an f32, a u32 and an f64.
import { codeType, constantOperation } from "@mm-ptx/types/code";
import fc from "fast-check";
import { codeWords, type Item, input, step } from "./codes.js";

type Kind = "f32" | "u32" | "f64" | "pred";

interface Instruction {
  readonly text: string;
  readonly operands: readonly Kind[];
  readonly result: Kind;
}

const instruction = (text: string, operands: string, result: Kind): Instruction => ({
  text,
  operands: operands.split(" ") as Kind[],
  result,
});

/** Some have kernels in WebAssembly, some have none, and some flush subnormals. */
const INSTRUCTIONS: readonly Instruction[] = [
  instruction("add.f32", "f32 f32", "f32"),
  instruction("sub.ftz.f32", "f32 f32", "f32"),
  instruction("mul.f32", "f32 f32", "f32"),
  instruction("fma.rn.f32", "f32 f32 f32", "f32"),
  instruction("div.approx.ftz.f32", "f32 f32", "f32"),
  instruction("sin.approx.f32", "f32", "f32"),
  instruction("add.u32", "u32 u32", "u32"),
  instruction("mul.lo.u32", "u32 u32", "u32"),
  instruction("popc.b32", "u32", "u32"),
  instruction("cvt.rn.f32.u32", "u32", "f32"),
  instruction("mov.b32", "f32", "u32"),
  instruction("add.f64", "f64 f64", "f64"),
  instruction("cvt.rn.f32.f64", "f64", "f32"),
  instruction("cvt.f64.f32", "f32", "f64"),
  instruction("setp.lt.f32", "f32 f32", "pred"),
  instruction("selp.f32", "f32 f32 pred", "f32"),
];

export const INPUT_KINDS = ["f32", "u32", "f64"] as const;

/** The words of a code, which has an f32 as its first output, and other values as others. */
export const randomCode: fc.Arbitrary<number[]> = fc
  .record({
    picks: fc.array(fc.array(fc.nat(), { minLength: 5, maxLength: 5 }), { minLength: 1, maxLength: 20 }),
    constant: fc.float({ noNaN: true, noDefaultInfinity: true, min: -8, max: 8 }),
    others: fc.nat(2),
  })
  .map(({ picks, constant, others }) => {
    const bits = new Uint32Array(Float32Array.of(constant).buffer)[0]!;
    const items: Item[] = [
      ...INPUT_KINDS.map((kind, index) => input(kind, index)),
      [constantOperation(codeType("f32")), bits],
    ];
    const kinds: Kind[] = [...INPUT_KINDS, "f32"];
    for (const [pick, ...operands] of picks) {
      const known = INSTRUCTIONS.filter((each) => each.operands.every((kind) => kinds.includes(kind)));
      const { text, operands: wanted, result } = known[pick! % known.length]!;
      const chosen = wanted.map((kind, position) => {
        const fits = kinds.flatMap((each, value) => (each === kind ? [value] : []));
        // Later values are more interesting.
        return fits[fits.length - 1 - (operands[position]! % Math.min(3, fits.length))]!;
      });
      items.push(step(text, ...chosen));
      kinds.push(result);
    }
    const last = kinds.lastIndexOf("f32");
    const more = Array.from({ length: others }, (_, index) => kinds.length - 1 - index);
    return codeWords(
      INPUT_KINDS.length,
      items,
      [last, ...more].map((value) => [value, kinds[value]!]),
    );
  });

/** Columns for the inputs of these codes. */
export const randomColumns = (rows: number, seed: number) => {
  let state = seed >>> 0;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return [
    Float32Array.from({ length: rows }, () => random() * 8 - 4),
    Uint32Array.from({ length: rows }, () => random() * 2 ** 32),
    Float64Array.from({ length: rows }, () => random() * 1e3),
  ] as const;
};
