// The whole way without nvcc: NVRTC compiles every kernel of the corpus to PTX with the same sites as nvcc's,
// and rendered with generated stubs it becomes machine code.

import { afterAll, describe, expect, it } from "vitest";
import { CudaCompiler, PtxCompiler, readCubin } from "../packages/cuda/dist/index.js";
import { annotateCuda, parsePtx } from "../packages/inject/dist/index.js";
import { randomAstStubs, stubsFor } from "./support/kernel-stubs.js";
import { KERNELS, type Kernel } from "./support/kernels.js";

/** Options of nvcc that kernels of the corpus have, as properties of NVRTC's options. */
const OPTIONS: Readonly<Record<string, object>> = {
  "-lineinfo": { lineInfo: true },
  "-std=c++17": { standard: "c++17" },
  "-std=c++20": { standard: "c++20" },
};

/** NVRTC declares `printf` itself, and has no headers of the host. */
const HEADERS = { cstdio: "" };

const SOURCES = {
  macro: (kernel: Kernel): string => kernel.source("macro"),
  comment: (kernel: Kernel): string => annotateCuda(kernel.source("comment")).text,
};
const STYLES = Object.keys(SOURCES) as (keyof typeof SOURCES)[];

function compiler(): CudaCompiler | undefined {
  try {
    return new CudaCompiler({ backend: "nvrtc" });
  } catch (error) {
    if ((error as { code: string }).code === "UNAVAILABLE") return undefined;
    throw error;
  }
}

const nvrtc = compiler();

describe.skipIf(nvrtc === undefined)("with NVRTC", { timeout: 120_000 }, () => {
  const assembler = new PtxCompiler({ arch: "sm_90", cache: false, workers: 2 });
  afterAll(() => {
    nvrtc?.dispose();
    assembler.dispose();
  });

  const each = KERNELS.flatMap((kernel) => STYLES.map((style) => ({ name: kernel.name, kernel, style })));
  it.each(each)("compiles $name, $style, to the same sites and machine code", async ({ kernel, style }) => {
    const options = kernel.options.map((option) => {
      expect(OPTIONS, `an option of ${kernel.name}`).toHaveProperty([option]);
      return OPTIONS[option];
    });
    const source = SOURCES[style](kernel);
    const own = { arch: kernel.target, headers: HEADERS };
    const { ptx } = await nvrtc!.compile(source, Object.assign(own, ...options));
    const annotated = parsePtx(ptx);
    const shapeOf = ({ injections }: typeof annotated) =>
      injections.map(({ name, operands }) => [
        name,
        operands.map(({ direction, type, name: operand }) => `${direction} ${type} ${operand}`),
      ]);
    const byName = (a: unknown[], b: unknown[]): number => String(a[0]).localeCompare(String(b[0]));
    expect(shapeOf(annotated).toSorted(byName)).toEqual(shapeOf(kernel.annotated(style)).toSorted(byName));

    const rendered = annotated.render(stubsFor(annotated, randomAstStubs(1)));
    const { cubin } = await assembler.compile(rendered);
    expect(readCubin(cubin).entries.length).toBeGreaterThan(0);
  });
});
