// Random programs with what the compiler says about them, batch by batch.
import { StackCompiler, type StackProgram, siteJob } from "@mm-ptx/stack";
import { table } from "@mm-ptx/stack/default";
import { ProgramSampler, Random } from "@mm-ptx/stack/random";
import { CODE_FEATURES } from "@mm-ptx/types/code";
import { SearchError } from "../../error.js";
import type { LessonBatch } from "../../lesson/cost-lesson.js";
import { LESSON_KERNEL } from "./kernel.js";

/** The costs of a batch, in their order. */
export const LESSON_COSTS = ["instructions", "registers"] as const;

/** A batch whose programs can be shown. */
export interface CompiledBatch extends LessonBatch {
  /** The stub of each program. */
  readonly stubs: readonly string[];
  /** The version of NVIDIA's compiler, if it is known. */
  readonly compilerVersion: string | undefined;
}

/** Which programs are compiled, and how. */
export interface CompiledProgramsOptions {
  readonly programs: number;
  readonly batch: number;
  readonly arch: string;
  readonly seed: number;
  readonly workers: number;
  readonly signal?: AbortSignal;
}

const OPERATIONS = new Set(
  (
    "add.f32 sub.f32 mul.f32 fma.rn.f32 min.f32 max.f32 div.approx.f32 sqrt.approx.f32 rcp.approx.f32 sin.approx.f32 " +
    "cos.approx.f32 ex2.approx.f32 lg2.approx.f32 neg.f32 abs.f32"
  ).split(" "),
);
/** Programs of which less is left without what nothing needs are not compiled: there are many, and they are all alike. */
const LEAST_INSTRUCTIONS = 4;
const INSTRUCTIONS = CODE_FEATURES.indexOf("instructions");
/** The operation of NOP, in the low bits of an instruction; code is padded with these. */
const NOP = 0x918;
const OPERATION_BITS = 0xfff;
const INSTRUCTION_BYTES = 16;

/**
 * Compiles random programs of 24 to 96 instructions.
 * @throws SearchError MISSING_PACKAGE without a compiler
 */
export async function* compiledPrograms({
  programs,
  batch,
  arch,
  seed,
  workers,
  signal,
}: CompiledProgramsOptions): AsyncGenerator<CompiledBatch, void, undefined> {
  const [cuda, inject] = await Promise.all([import("@mm-ptx/cuda"), import("@mm-ptx/inject")]).catch(
    (cause) => {
      throw new SearchError(
        "MISSING_PACKAGE",
        "expected the package `@mm-ptx/cuda`, found none: `npm install @mm-ptx/cuda` installs it",
        {
          cause,
        },
      );
    },
  );
  const { backends, compilerVersion } = cuda.capabilities();
  if (!backends.some(({ available }) => available))
    throw new SearchError(
      "MISSING_PACKAGE",
      "expected something that compiles PTX, found nothing: `mm-ptx-cuda doctor` says what to install",
    );
  const kernel = inject.parsePtx(LESSON_KERNEL);
  const { operands } = kernel.injection("func");
  const job = siteJob(table, operands);
  const stubs = new StackCompiler(table);
  const inputs = operands.flatMap(({ direction }, index) => (direction === "out" ? [] : [index]));
  const sampler = new ProgramSampler(table, {
    ...{ registers: job.registers, inputs, stacks: { F32: 1 }, length: { min: 24, max: 96 } },
    instructions: ({ name }) => Number(OPERATIONS.has(name)),
  });
  const random = new Random(seed);
  // Programs are compiled, and not read from a cache, so that their times are true.
  await using compiler = new cuda.PtxCompiler({ arch, workers, cache: false });
  const width = CODE_FEATURES.length;
  for (let done = 0; done < programs && signal?.aborted !== true; done += batch) {
    const count = Math.min(batch, programs - done);
    const began = performance.now();
    const features = new Float32Array(count * width);
    const drawn: StackProgram[] = Array.from({ length: count }, (_, index) => {
      const row = features.subarray(index * width, (index + 1) * width);
      for (;;) {
        const program = sampler.program(random);
        stubs.describeInto(program, job, row);
        if (row[INSTRUCTIONS]! >= LEAST_INSTRUCTIONS) return program;
      }
    });
    const made = performance.now();
    const texts = drawn.map((program) => stubs.compile(program, job));
    const asked = performance.now();
    const results = await compiler.compileAll(texts.map((func) => kernel.fill({ func })));
    const asking = (1000 * (performance.now() - asked)) / count;
    const kernels = results.map((result) => {
      if (!result.ok) throw result.error;
      return cuda.inspectCubin(result.cubin).kernels[0]!;
    });
    yield {
      ...{ features, stubs: texts, compilerVersion, asking, making: (1000 * (made - began)) / count },
      costs: [
        Float32Array.from(kernels, ({ code }) => instructionsOf(code)),
        Float32Array.from(kernels, ({ registers }) => registers),
      ],
    };
  }
}

/** The instructions of a kernel without the padding at its end. */
function instructionsOf(code: Uint8Array): number {
  const view = new DataView(code.buffer, code.byteOffset, code.byteLength);
  let count = 0;
  for (let at = 0; at < code.length; at += INSTRUCTION_BYTES)
    if ((view.getUint32(at, true) & OPERATION_BITS) !== NOP) count++;
  return count;
}
