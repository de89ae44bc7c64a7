// A kernel with two sites, and programs for them.

import { parsePtx } from "@mm-ptx/inject";
import { input, StackProgram } from "@mm-ptx/stack";
import { f32, ptx, table } from "@mm-ptx/stack/default";
import { ProgramKernel, type ProgramKernelOptions } from "../../src/index.js";

const site = (name: string, from: string, to: string): string => `\t{
\t.reg .f32 %_x0;
\t.reg .f32 %_x1;
\tmov.f32 %_x1, ${from};
\t// PTX_INJECT_START ${name}
\t// _x0 o f32 F32 z
\t// _x1 i f32 F32 x
\t// PTX_INJECT_END
\tmov.f32 ${to}, %_x0;
\t}
`;

export const KERNEL = parsePtx(`.version 8.0
.target sm_75
.address_size 64
.visible .entry evaluate(.param .u64 out, .param .f32 x) {
\t.reg .f32 %f<4>;
\t.reg .b64 %out;
\tld.param.u64 %out, [out];
\tld.param.f32 %f1, [x];
${site("func", "%f1", "%f2")}${site("last", "%f2", "%f3")}\tcvta.to.global.u64 %out, %out;
\tst.global.f32 [%out], %f3;
\tret;
}
`);

export const kernelOf = (options: ProgramKernelOptions = {}): ProgramKernel =>
  new ProgramKernel(KERNEL, table, options);

/** A program that differs from that of any other value. */
export const programOf = (value: number): StackProgram =>
  StackProgram.of(input(1), f32(value), ptx.addFtzF32, input(1), ptx.mulFtzF32);

export const programsFrom = (first: number, count: number): StackProgram[] =>
  Array.from({ length: count }, (_, i) => programOf(first + i / 2));

/** A program that no compiler takes. */
export const WRONG = StackProgram.fromWords(new Uint32Array([0xffff, 0]));
