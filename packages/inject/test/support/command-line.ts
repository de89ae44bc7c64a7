// Runs the built program `ptxinject` in a temporary folder.

import { codeFrame } from "@mm-ptx/types/core";
import { ProgramFolder } from "../../../../tests/support/command-line.js";
import { annotateCuda, type CudaProblem, type PtxInjectError } from "../../src/index.js";

/** A kernel with one annotation. */
export const KERNEL = `__global__ void scale(const float* in, float* out) {
  float x = in[threadIdx.x], z;
  /* PTX_INJECT func
      in  f32 x
      out f32 z
  */
  out[threadIdx.x] = z;
}
`;

/** A kernel with two mistakes. */
export const BAD = `__global__ void scale() {
  /* PTX_INJECT func
      in  f3 x
      ouz f32 z
  */
}
`;

/**
 * What the command line prints for it as `bad.cu`: the problems that the library finds, each with its place
 * and line.
 */
export const BAD_TEXT = problemsIn(BAD)
  .map(
    ({ line, column, message, span }) =>
      `bad.cu:${line}:${column}: error: ${message}\n${codeFrame(BAD, span)}\n`,
  )
  .join("");

function problemsIn(source: string): readonly CudaProblem[] {
  try {
    annotateCuda(source);
  } catch (error) {
    return (error as PtxInjectError).problems;
  }
  throw new Error("expected problems, found none");
}

/** The PTX that nvcc writes for a kernel with two sites of one injection. */
export const PTX = `.version 8.0
.target sm_75
.address_size 64
.visible .entry scale()
{
	.reg .f32 %f<5>;
	mov.f32 %f1, 0f40000000;
	{
	.reg .f32 %_x0;
	.reg .f32 %_x1;
	mov.f32 %_x1, %f1;
	// PTX_INJECT_START func
	// _x0 o f32 F32 z
	// _x1 i f32 F32 x
	// PTX_INJECT_END
	mov.f32 %f2, %_x0;
	}
	{
	.reg .f32 %_x0;
	.reg .f32 %_x1;
	mov.f32 %_x1, %f2;
	// PTX_INJECT_START func
	// _x0 o f32 F32 z
	// _x1 i f32 F32 x
	// PTX_INJECT_END
	mov.f32 %f3, %_x0;
	}
	ret;
}
`;

export class CommandLine extends ProgramFolder {
  constructor() {
    super("packages/inject/dist/cli/main.js");
  }
}
