// A kernel of any length with the control flow of compiled code: a sequence of branches and short loops. Each
// value has its own register, except for values that blocks pass on.

import { generator } from "./random.mjs";

/** The number of values that are live throughout the kernel. */
const KEPT = 24;
const INSTRUCTIONS = [
  "add.s32",
  "xor.b32",
  "mul.lo.s32",
  "and.b32",
  "sub.s32",
  "max.u32",
  "or.b32",
  "min.s32",
];
const FLOATS = ["add.rn.f32", "mul.rn.f32", "sub.rn.f32", "fma.rn.f32", "max.f32"];

/**
 * PTX of the kernel `large(u64 out, u32 n)`: each thread writes {@link KEPT} words.
 *
 * @param {{ lines: number, blocks: number }} size the approximate numbers of lines and basic blocks
 */
export function largeKernel({ lines, blocks }) {
  const random = generator(7);
  const below = (count) => Math.floor(random() * count);
  const body = [];
  let registers = KEPT + 4;
  let floats = KEPT;
  const kept = () => `%r${below(KEPT)}`;
  // A loop or a branch is about two blocks.
  const parts = Math.max(1, Math.floor(blocks / 2));
  const inside = Math.max(1, Math.floor((lines - 3 * KEPT) / parts) - 5);
  for (let part = 0; part < parts; part++) {
    const isLoop = part % 3 === 2;
    const counter = `%r${registers++}`;
    if (isLoop) body.push(`\tmov.u32 ${counter}, 0;`, `$L${part}:`);
    else
      body.push(`\tand.b32 ${counter}, ${kept()}, 3;`, `\tsetp.eq.s32 %p${part}, ${counter}, ${part % 4};`);
    if (!isLoop) body.push(`\t@%p${part} bra $L${part};`);
    let last = kept();
    let lastFloat = `%f${below(KEPT)}`;
    for (let i = 0; i < inside; i++) {
      if (below(3) === 0) {
        const to = `%f${floats++}`;
        const opcode = FLOATS[below(FLOATS.length)];
        const third = opcode.startsWith("fma") ? `, %f${below(KEPT)}` : "";
        body.push(`\t${opcode} ${to}, ${lastFloat}, %f${below(KEPT)}${third};`);
        lastFloat = to;
      } else {
        const to = `%r${registers++}`;
        body.push(`\t${INSTRUCTIONS[below(INSTRUCTIONS.length)]} ${to}, ${last}, ${kept()};`);
        last = to;
      }
    }
    body.push(`\tmov.u32 ${kept()}, ${last};`, `\tmov.f32 %f${below(KEPT)}, ${lastFloat};`);
    if (isLoop) {
      body.push(`\tadd.s32 ${counter}, ${counter}, 1;`, `\tsetp.lt.s32 %p${part}, ${counter}, 2;`);
      body.push(`\t@%p${part} bra $L${part};`);
    } else body.push(`$L${part}:`);
  }
  const all = Array.from({ length: KEPT }, (_, i) => i);
  return [
    ".version 8.0",
    ".target sm_80",
    ".address_size 64",
    ".visible .entry large(.param .u64 out, .param .u32 n)",
    "{",
    `\t.reg .pred %p<${parts}>;`,
    `\t.reg .b32 %r<${registers}>;`,
    `\t.reg .f32 %f<${floats}>;`,
    "\t.reg .b64 %rd<4>;",
    "\tld.param.u64 %rd0, [out];",
    `\tld.param.u32 %r${KEPT}, [n];`,
    `\tmov.u32 %r${KEPT + 1}, %tid.x;`,
    `\tmov.u32 %r${KEPT + 2}, %ctaid.x;`,
    `\tmov.u32 %r${KEPT + 3}, %ntid.x;`,
    `\tmad.lo.u32 %r${KEPT + 2}, %r${KEPT + 2}, %r${KEPT + 3}, %r${KEPT + 1};`,
    `\tmul.wide.u32 %rd1, %r${KEPT + 2}, ${8 * KEPT};`,
    "\tadd.u64 %rd2, %rd0, %rd1;",
    ...all.map((i) => `\tmad.lo.u32 %r${i}, %r${KEPT + 2}, ${2 * i + 1}, %r${KEPT};`),
    ...all.map((i) => `\tcvt.rn.f32.u32 %f${i}, %r${i};`),
    ...body,
    ...all.map((i) => `\tst.global.u32 [%rd2+${8 * i}], %r${i};`),
    ...all.map((i) => `\tst.global.f32 [%rd2+${8 * i + 4}], %f${i};`),
    "\tret;",
    "}",
    "",
  ].join("\n");
}
