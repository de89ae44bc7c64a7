// Links device functions with injected bodies into a kernel: every pair of functions makes a different kernel, and no CUDA
// source is compiled twice.

import { readFileSync } from "node:fs";
import { CudaCompileError, CudaCompiler, LinkError, Linker, type LinkInput, readCubin } from "@mm-ptx/cuda";
import { parsePtx } from "@mm-ptx/inject";
import { StackCompiler, StackProgram, siteJob } from "@mm-ptx/stack";
import { f32, input, ptx, table } from "@mm-ptx/stack/default";

const ARCH = "sm_90";

/** Bodies for either function. The operands of their site are y, which it returns, and x, which it is called with. */
const BODIES = {
  square: StackProgram.of(input(1), input(1), ptx.mulFtzF32),
  half: StackProgram.of(f32(0.5), input(1), ptx.mulFtzF32),
  next: StackProgram.of(f32(1), input(1), ptx.addFtzF32),
};

const source = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    // If a library is missing, either constructor throws an error that says how to get it.
    await using compiler = new CudaCompiler();
    await using linker = new Linker();
    await linkAll(compiler, linker);
    return 0;
  } catch (error) {
    const missing =
      (error instanceof CudaCompileError && error.code === "UNAVAILABLE") ||
      (error instanceof LinkError && error.code === "UNAVAILABLE");
    if (!missing) throw error;
    console.log(`left out: ${error.message}`);
    return 0;
  }
}

async function linkAll(compiler: CudaCompiler, linker: Linker): Promise<void> {
  const { cubin: kernel } = await compiler.compile(source("kernel.cu"), {
    arch: ARCH,
    output: "cubin",
    relocatable: true,
  });
  const [first, second] = await Promise.all(
    ["first", "second"].map((name) => functionsNamed(compiler, name)),
  );

  for (const [inner, one] of first!) {
    for (const [outer, other] of second!) {
      const { cubin } = await linker.link([{ cubin: kernel, name: "kernel" }, one, other], { arch: ARCH });
      const { arch, entries } = readCubin(cubin);
      console.log(`${outer}(${inner}(x)): ${entries.join()} for ${arch}`);
    }
  }
}

/** The function with each body, as PTX to link. The CUDA source is compiled once, and the bodies are injected into its PTX. */
async function functionsNamed(
  compiler: CudaCompiler,
  name: string,
): Promise<[body: string, input: LinkInput][]> {
  const options = { arch: ARCH, relocatable: true, defines: { NAME: name } };
  const annotated = parsePtx((await compiler.compile(source("function.cu"), options)).ptx);
  const site = annotated.injection("body");
  const job = siteJob(table, site.operands);
  const stubs = new StackCompiler(table);
  return Object.entries(BODIES).map(([body, program]) => {
    const stub = stubs.compile(program, job);
    return [body, { ptx: annotated.fill({ body: stub }), name: `${name}: ${body}` }];
  });
}
