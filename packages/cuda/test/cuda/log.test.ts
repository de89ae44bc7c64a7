// Parsing logs of NVRTC and nvcc 13.0; neither of them is needed.

import { expect, test } from "vitest";
import { cudaCodeOf, parseCudaLog } from "../../src/cuda/log.js";
import type { CudaCompileErrorCode, CudaDiagnostic } from "../../src/index.js";

const SOURCE = '#include "own.h"\n\t__global__ void k(float* x) {\n  int unused;\r\n  x[0] = foo(2); }\n';

test.each<readonly [what: string, log: string, diagnostic: CudaDiagnostic]>([
  [
    "an error with a column",
    'kernel.cu(4): error: identifier "foo" is undefined\n    x[0] = foo(2); }\n           ^\n\n1 error detected.\n',
    {
      severity: "error",
      file: "kernel.cu",
      line: 4,
      column: 10,
      message: 'identifier "foo" is undefined',
      frame: "    4 |   x[0] = foo(2); }\n      |          ^",
    },
  ],
  [
    "a line that is shown after macros",
    "kernel.cu(2): warning #177-D: text\n  __attribute__((global)) void k(float* x) {\n                               ^\n",
    {
      severity: "warning",
      file: "kernel.cu",
      line: 2,
      number: "177-D",
      message: "text",
      frame: "    2 | \t__global__ void k(float* x) {\n      | \t^^^^^^^^^^^^^^^^^^^^^^^^^^^^^",
    },
  ],
  [
    "a header that is not at hand",
    "/a (b)/own.h(1): error: text\n  static int oops = nope;\n                    ^\n",
    {
      severity: "error",
      file: "/a (b)/own.h",
      line: 1,
      message: "text",
      frame: "    1 | static int oops = nope;\n      |                   ^",
    },
  ],
  [
    "a template's instantiation",
    'kernel.cu(9): error: text\n          detected during instantiation of "T g(T)" at line 6\n',
    {
      severity: "error",
      file: "kernel.cu",
      line: 9,
      message: 'text\ndetected during instantiation of "T g(T)" at line 6',
    },
  ],
  [
    "a template's instantiations, one a line",
    `kernel.cu(9): error: text
          detected during:
            instantiation of class "A<N> [with N=199]" at line 1
            [ 190 instantiation contexts not shown ]
            instantiation of class "A<N> [with N=0]" at line 1
`,
    {
      severity: "error",
      file: "kernel.cu",
      line: 9,
      message:
        'text\ndetected during:\ninstantiation of class "A<N> [with N=199]" at line 1\n[ 190 instantiation contexts not shown ]\ninstantiation of class "A<N> [with N=0]" at line 1',
    },
  ],
  [
    "a file that is not at hand, by the preprocessor of the host",
    'own.h:1:9: error: "defined" cannot be used as a macro name\n    1 | #define defined 1\n      |         ^~~~~~~\n',
    {
      severity: "error",
      file: "own.h",
      line: 1,
      column: 9,
      message: '"defined" cannot be used as a macro name',
      frame: "    1 | #define defined 1\n      |         ^^^^^^^",
    },
  ],
  [
    "the preprocessor of the host",
    "kernel.cu:1:10: fatal error: own.h: No such file or directory\n    1 | #include <own.h>\n      |          ^~~~~~~\n",
    {
      severity: "fatal",
      file: "kernel.cu",
      line: 1,
      column: 10,
      message: "own.h: No such file or directory",
      frame: '    1 | #include "own.h"\n      |          ^',
    },
  ],
  [
    "the assembler",
    "ptxas /tmp/x_b.ptx, line 27; error   : Not a name\nptxas fatal   : Ptx assembly aborted due to errors\n",
    { severity: "error", file: "PTX", line: 27, message: "Not a name" },
  ],
  [
    "nvcc itself",
    "nvcc fatal   : Unsupported gpu architecture 'sm_33'\n",
    { severity: "fatal", message: "Unsupported gpu architecture 'sm_33'" },
  ],
  [
    "NVRTC itself",
    "nvrtc: error: invalid value for --gpu-architecture (-arch)\n",
    { severity: "error", message: "invalid value for --gpu-architecture (-arch)" },
  ],
])("reads %s", (_, log, diagnostic) => {
  expect(parseCudaLog(log, { "kernel.cu": SOURCE })).toEqual([diagnostic]);
});

test("a log with a message for every line of its source is parsed in linear time", () => {
  const count = 60_000;
  const source = "  int unused;\n".repeat(count);
  const log = Array.from(
    { length: count },
    (_, i) => `kernel.cu(${i + 1}): warning #177-D: text\n    int unused;\n        ^\n`,
  );
  const diagnostics = parseCudaLog(log.join("\n"), { "kernel.cu": source });
  expect(diagnostics).toHaveLength(count);
  expect(diagnostics.at(-1)).toMatchObject({
    line: count,
    column: 7,
    frame: "60000 |   int unused;\n      |       ^",
  });
});

test("lines that are not messages are skipped", () => {
  const lines = [
    "",
    "Remark: The warnings can be suppressed",
    "1 error detected in the compilation",
    "  ^",
    "kernel.cu(1)",
  ];
  expect(parseCudaLog(lines.join("\n"), {})).toEqual([]);
});

test.each<readonly [message: string, code: CudaCompileErrorCode]>([
  ['could not open source file "a.h" (no directories in search list)', "MISSING_HEADER"],
  ['cannot open source file "a.h"', "MISSING_HEADER"],
  ["a.h: No such file or directory", "MISSING_HEADER"],
  ["invalid value for --gpu-architecture (-arch)", "UNSUPPORTED_ARCH"],
  ["'cicc' died due to signal 11 (Invalid memory reference)", "CRASHED"],
  ["Memory allocation failure", "OUT_OF_MEMORY"],
  ["Failed to preprocess host compiler properties.", "INTERNAL"],
  ['identifier "foo" is undefined', "COMPILATION"],
])("`%s` is %s", (message, code) => {
  expect(cudaCodeOf([{ severity: "error", message }])).toBe(code);
  // A warning with the same words is not an error.
  expect(cudaCodeOf([{ severity: "warning", message }])).toBe("COMPILATION");
});
