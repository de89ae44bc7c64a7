// Device functions whose bodies are injected, linked with a kernel: every pair of functions is a kernel of its own, and
// nothing is compiled from CUDA twice.

import { readFileSync } from "node:fs";
import { CudaCompileError, CudaCompiler, LinkError, Linker, type LinkInput, readCubin } from "@mm-ptx/cuda";
import { parsePtx } from "@mm-ptx/inject";
import { register, StackCompiler, StackProgram } from "@mm-ptx/stack";
import { f32, input, ptx, stacks, table } from "@mm-ptx/stack/default";

const ARCH = "sm_90";

/** Bodies for either function: register 0 is what it is called with. */
const BODIES = {
  square: StackProgram.of(input(0), input(0), ptx.mulFtzF32),
  half: StackProgram.of(f32(0.5), input(0), ptx.mulFtzF32),
  next: StackProgram.of(f32(1), input(0), ptx.addFtzF32),
};

const source = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    // Both say what is missing, and how it can be had.
    await using compiler = new CudaCompiler();
    await using linker = new Linker();
    await linkAll(compiler, linker);
    return 0;
  } catch (error) {
    const missing =
      (error instanceof CudaCompileError && error.code === "BACKEND_MISSING") ||
      (error instanceof LinkError && error.code === "LIBRARY_MISSING");
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

/** The function with each body, as PTX to link: the CUDA is compiled once, the bodies are rendered into what came of it. */
async function functionsNamed(
  compiler: CudaCompiler,
  name: string,
): Promise<[body: string, input: LinkInput][]> {
  const options = { arch: ARCH, relocatable: true, defines: { NAME: name } };
  const annotated = parsePtx((await compiler.compile(source("function.cu"), options)).ptx);
  const site = annotated.injection("body");
  const registers = ["x", "y"].map((operand) => register(site.operand(operand), stacks.F32));
  const stubs = new StackCompiler(table);
  return Object.entries(BODIES).map(([body, program]) => {
    const stub = stubs.compile(program, { registers, requests: [1] });
    return [body, { ptx: annotated.render({ body: stub }), name: `${name}: ${body}` }];
  });
}
