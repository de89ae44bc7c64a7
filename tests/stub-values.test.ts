// Stubs written by hand give the same bits on columns as in a kernel on the emulator.

import { describe, expect, it } from "vitest";
import { machineOf } from "../packages/columns/dist/machine/index.js";
import { parseStub } from "../packages/columns/dist/stub/index.js";
import { EmulatedDevice } from "../packages/emulator/dist/index.js";
import { Random, runSeed } from "../packages/stack/test/support/random.js";
import { codeType, codeTypeBits, StraightLineCode } from "../packages/types/dist/code/index.js";
import type { SiteOperand } from "../packages/types/dist/core/index.js";

const ROWS = 256;
const THREADS = 32;
const SITE = "in f32 x, in f32 y, in u32 u, in s32 s, in b64 l, in f64 e, in b16 h, in pred p, in pred q";

const STUBS: readonly (readonly [outputs: string, stub: string])[] = [
  ["mod f32 m", "@%p neg.f32 %m, %x; @!%q fma.rn.f32 %m, %x, %y, -1.25;"],
  [
    "out f32 d",
    ".reg .f32 %t; @%p add.ftz.f32 %t, %x, %y; @!%p mul.rn.f32 %t, %x, 0f3DCCCCCD; mov.f32 %d, %t;",
  ],
  ["mod pred m, out pred d", "@%p not.pred %m, %q; setp.ltu.xor.f32 _|%d, %x, %y, %m;"],
  [
    "out pred a, out pred b, out pred c, out pred d",
    "setp.lt.f32 %a|%b, %x, %y; setp.eq.and.s32 %c|%d, %s, 5, !%p;",
  ],
  [
    "out pred a, out pred b",
    ".reg .b32 %t, %v; not.b32 %t, %u; mov.b32 %v, %u; setp.geu.f16x2 %a|%b, %v, %t;",
  ],
  ["out b64 d", "cvt.s16.s32 %d, %s;"],
  ["out b32 d, out b16 c", "cvt.sat.s8.s32 %d, %s; cvt.u8.u64 %c, %l;"],
  ["out b64 d", "cvt.rzi.u16.f32 %d, %x;"],
  ["out b32 d, out s32 c", "cvt.s16.s32 %d, %s; cvt.rni.s8.f32 %c, %x; dp2a.hi.s32.u32 %c, %c, %d, %s;"],
  ["out b32 d, out b32 c", "cvt.rn.f16.f32 %d, %x; cvt.rzi.u8.f32 %c, %y; brev.b32 %c, %c;"],
  ["out u32 d", "cvt.u32.u16 %d, %l;"],
  ["out s32 d", ".reg .b32 %t; cvt.rn.f16.f32 %t, %x; cvt.s32.s16 %d, %t;"],
  [
    "out s32 d, out b64 c",
    ".reg .s16 %t; cvt.s16.s32 %t, %s; cvt.s32.s16 %d, %t; mul.wide.s16 %d, %t, -3; cvt.u64.u16 %c, %t;",
  ],
  ["mod b64 m", "@%p shl.b64 %m, %l, 3; @%q mad.wide.u32 %m, %u, 10, %m;"],
  ["mod b16 m", "@!%p add.s16 %m, %h, 0xFFFF; xor.b16 %m, %m, %h;"],
  ["out f64 d", "fma.rz.f64 %d, %e, 0d3FF8000000000000, 2.5; @%p neg.f64 %d, %d;"],
  ["out b32 d", "lop3.b32 %d, %u, %s, 0x0F0F, 0x6A; @%q prmt.b32 %d, %d, %u, 0x3201;"],
  ["out b32 d", "{ .reg .b32 %u; mov.b32 %u, %x; selp.b32 %d, %u, -1, !%p; } bfi.b32 %d, %d, %u, 3, 7;"],
];

const operandsOf = (text: string): SiteOperand[] =>
  text.split(", ").map((part) => {
    const [direction, registerType, name] = part.split(" ") as [SiteOperand["direction"], string, string];
    return { direction, name, register: name, registerType, type: registerType };
  });
const bitsOf = ({ registerType }: SiteOperand): number => codeTypeBits(codeType(registerType));

/** A kernel that reads all operands, runs a stub, and writes what it may write; 8 bytes for each value. */
function kernelOf(operands: readonly SiteOperand[], outputs: readonly SiteOperand[], stub: string): string {
  const reads = operands.map((operand, index) => {
    const place = `[%in+${8 * ROWS * index}]`;
    if (bitsOf(operand) === 1)
      return `ld.global.u32 %ux, ${place}; setp.ne.u32 %${operand.register}, %ux, 0;`;
    return `ld.global.b${bitsOf(operand)} %${operand.register}, ${place};`;
  });
  const writes = outputs.map((operand, index) => {
    const place = `[%out+${8 * ROWS * index}]`;
    if (bitsOf(operand) === 1)
      return `selp.u32 %ux, 1, 0, %${operand.register}; st.global.u32 ${place}, %ux;`;
    return `st.global.b${bitsOf(operand)} ${place}, %${operand.register};`;
  });
  return [
    ".version 9.0\n.target sm_100a\n.address_size 64",
    ".visible .entry run(.param .u64 in, .param .u64 out)\n{",
    ".reg .b64 %in, %out; .reg .b32 %ux, %t;",
    ...operands.map(({ register, registerType }) => `.reg .${registerType} %${register};`),
    "ld.param.u64 %in, [in]; ld.param.u64 %out, [out];",
    `mov.u32 %ux, %ctaid.x; mov.u32 %t, %tid.x; mad.lo.u32 %ux, %ux, ${THREADS}, %t;`,
    "mad.wide.u32 %in, %ux, 8, %in; mad.wide.u32 %out, %ux, 8, %out;",
    ...reads,
    `{\n${stub}\n}`,
    ...writes,
    "ret;\n}\n",
  ].join("\n");
}

/** Small integers, numbers near 1, and any bits. */
function draw(random: Random, bits: number): bigint {
  const any = (BigInt(random.word()) << 32n) | BigInt(random.word());
  const value = random.once(3) ? any : random.once(2) ? BigInt(random.below(20) - 10) : draw32(random);
  return BigInt.asUintN(bits, value);
}
const draw32 = (random: Random): bigint =>
  BigInt((random.below(2) << 31) | (0x3e000000 + random.below(0x4000000)));

async function emulated(text: string, values: BigUint64Array, outputs: number): Promise<BigUint64Array> {
  using device = EmulatedDevice.open();
  const input = device.allocate(values.byteLength);
  await input.copyFrom(values);
  const output = device.allocate(8 * ROWS * outputs);
  device.stream.launch(device.load(text).kernel("run"), { grid: ROWS / THREADS, block: THREADS }, [
    input,
    output,
  ]);
  const bytes = await output.read();
  return new BigUint64Array(bytes.buffer, bytes.byteOffset, ROWS * outputs);
}

/** A code with only one of its outputs. */
function withOutput(words: Uint32Array, count: number, output: number): Uint32Array {
  const code = words.slice(0, words.length - count + 1);
  const { arity, inputMask, outputShift } = StraightLineCode;
  code[arity] = (code[arity]! & inputMask) | (1 << outputShift);
  code[code.length - 1] = words[words.length - count + output]!;
  return code;
}

describe("stubs by hand with and without WebAssembly", () => {
  it.each(STUBS)("%s: %s", async (written, stub) => {
    const seed = runSeed();
    const random = new Random(seed);
    const operands = operandsOf(`${SITE}, ${written}`);
    const outputs = ["mod", "out"].flatMap((direction) =>
      operands.filter((each) => each.direction === direction),
    );
    const values = new BigUint64Array(operands.length * ROWS);
    operands.forEach((operand, index) => {
      for (let row = 0; row < ROWS; row++) values[index * ROWS + row] = draw(random, bitsOf(operand));
    });
    const columns = operands.map((operand, index) => {
      const rows = values.subarray(index * ROWS, (index + 1) * ROWS);
      const isDouble = bitsOf(operand) === 64;
      const lanes = isDouble ? rows.slice() : Uint32Array.from(rows, Number);
      return { bytes: new Uint8Array(lanes.buffer), isDouble, types: 1 << codeType(operand.registerType) };
    });
    const { words } = parseStub(stub, operands);
    const expected = await emulated(kernelOf(operands, outputs, stub), values, outputs.length);
    for (const webAssembly of [true, false]) {
      const machine = machineOf(webAssembly);
      await machine.load();
      outputs.forEach((operand, index) => {
        const isDouble = bitsOf(operand) === 64;
        const target = new Uint8Array(ROWS * (isDouble ? 8 : 4));
        machine.compute(withOutput(words, outputs.length, index), { rows: ROWS, columns }, target);
        const { buffer } = target;
        const lanes = isDouble
          ? new BigUint64Array(buffer)
          : BigUint64Array.from(new Uint32Array(buffer), BigInt);
        // Of fewer bits than a lane has, the others are not observable.
        const visible = (value: bigint) => BigInt.asUintN(bitsOf(operand), value).toString(16);
        expect(
          Array.from(lanes, visible),
          `seed ${seed}, \`${operand.name}\`, webAssembly: ${webAssembly}`,
        ).toEqual(Array.from(expected.subarray(index * ROWS, (index + 1) * ROWS), visible));
      });
    }
  });
});
