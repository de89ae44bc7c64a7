import { expect, test } from "vitest";
import { compilerErrors, compilerInfo } from "../../src/ptx/linker-log.js";

const FRAME = "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads";

test("the linker's sizes of stacks are added to the compiler's lines, and its other lines are left out", () => {
  const log = [
    "ptxas info    : 0 bytes gmem",
    "ptxas info    : Compiling entry function 'b' for 'sm_80'",
    FRAME,
    "ptxas info    : Used 24 registers, used 1 barriers, 128 bytes smem, 360 bytes cmem[0]",
    "ptxas info    : Compiling entry function 'a' for 'sm_80'",
    "ptxas info    : Used 8 registers, used 0 barriers",
    "info    : 0 bytes gmem",
    "info    : Function properties for 'a':",
    "info    : used 8 registers, used 0 barriers, 0 stack, 0 bytes smem, 360 bytes cmem[0], 0 bytes lmem",
    "info    : Function properties for 'b':",
    "info    : used 24 registers, used 1 barriers, 96 stack, 128 bytes smem, 360 bytes cmem[0], 0 bytes lmem",
    "",
  ];
  expect(compilerInfo(log.join("\n")).split("\n")).toEqual([
    ...log.slice(0, 3),
    "ptxas info    : Used 24 registers, used 1 barriers, 96 bytes cumulative stack size, 128 bytes smem, 360 bytes cmem[0]",
    ...log.slice(4, 6),
    "",
  ]);
});

test("the linker's errors have the compiler's words", () => {
  const compiler =
    "ptxas application ptx input, line 9; error   : Unknown symbol '%a'\nptxas fatal   : Ptx assembly aborted due to errors\n";
  expect(compilerErrors(`${compiler}ERROR NVJITLINK_ERROR_PTX_COMPILE: JIT the PTX (PTX)\n`)).toBe(compiler);
  expect(compilerErrors("error   : Undefined reference to 'f' in 'PTX'\nERROR 1: finish\n")).toBe(
    "ptxas fatal   : Unresolved extern symbol 'f'\n",
  );
  expect(compilerErrors("error   : Entry function 'k' uses too much shared data\nERROR 9: finish\n")).toBe(
    "ptxas error   : Entry function 'k' uses too much shared data\n",
  );
  expect(compilerErrors("ERROR 1: bad input: does not match type NVJITLINK_INPUT_PTXPTX\n")).toMatch(
    /line 1; fatal {3}: Missing \.version/,
  );
  const unknown = "ERROR NVJITLINK_ERROR_UNSUPPORTED_ARCH: unsupported architecture (compute_20)\n";
  expect(compilerErrors(unknown)).toBe(unknown);
});
