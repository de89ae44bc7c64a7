// The programs that are tried in the kernel: instructions in postfix order. Any list of instructions is a valid program, so
// you can insert, delete and swap them as you like.
import { StackProgram } from "@mm-ptx/stack";
import { f32, input, ptx } from "@mm-ptx/stack/default";
import { site } from "./kernel.js";

const x = input(site.operand("x").index);

/** Programs by what they compute. */
export const programs: Readonly<Record<string, StackProgram>> = {
  "x * x + 1": StackProgram.of(x, x, ptx.mulFtzF32, f32(1), ptx.addFtzF32),
  "max(x, 0)": StackProgram.of(x, f32(0), ptx.maxFtzF32),
  "sin(x)": StackProgram.of(x, ptx.sinApproxFtzF32),
};
