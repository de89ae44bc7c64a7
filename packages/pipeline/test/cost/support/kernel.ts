// A kernel with sites of each type of register, and compiled modules of it.
import { capabilities, PtxCompiler, type PtxCompilerOptions } from "@mm-ptx/cuda";
import { type AnnotatedPtx, parsePtx } from "@mm-ptx/inject";
import type { FilledKernel } from "@mm-ptx/types/core";

export const HAS_COMPILER = capabilities().backends.some(({ available }) => available);

const site = (name: string, type: string, word: string): string => `\t{
\t.reg .${type} %_x0;
\t.reg .${type} %_x1;
\tmov.${type} %_x0, %${type}in;
\t// PTX_INJECT_START ${name}
\t// _x0 i ${type} ${word} in
\t// _x1 o ${type} ${word} out
\t// PTX_INJECT_END
\tmov.${type} %${type}out, %_x1;
\t}`;

/** Loads a value, computes another at a site for each of the names, and stores it. */
export function annotated(...names: readonly string[]): AnnotatedPtx {
  return parsePtx(`.version 7.8
.target sm_75
.address_size 64
.visible .entry compute(.param .u64 memory)
{
\t.reg .b64 %address<3>;
\t.reg .b32 %thread;
\t.reg .f32 %f32in, %f32out;
\tld.param.u64 %address1, [memory];
\tcvta.to.global.u64 %address1, %address1;
\tmov.u32 %thread, %tid.x;
\tmul.wide.u32 %address2, %thread, 4;
\tadd.u64 %address1, %address1, %address2;
\tld.global.f32 %f32in, [%address1];
${names.map((name) => `${site(name, "f32", "F32")}\n\tmov.f32 %f32in, %f32out;`).join("\n")}
\tst.global.f32 [%address1], %f32out;
\tret;
}
`);
}

/** The kernel with stubs at its sites. */
export const filled = (stubs: Readonly<Record<string, string>>): FilledKernel =>
  annotated(...Object.keys(stubs)).fill(stubs);

/** Compiles without a cache, by default with the lines of the PTX. */
export async function compiled(
  ptx: FilledKernel | string,
  arch: string,
  options: Partial<PtxCompilerOptions> = {},
) {
  using compiler = new PtxCompiler({ arch, cache: false, workers: 1, lineInfo: true, ...options });
  return await compiler.compile(ptx);
}
