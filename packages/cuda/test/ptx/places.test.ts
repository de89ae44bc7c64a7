// Where the compiler's messages belong: columns, stubs and kernel lines of templates, lines of the CUDA
// source.

import type { PtxTemplate } from "@mm-ptx/types/core";
import { afterAll, describe, expect, test } from "vitest";
import { PtxCompileError, PtxCompiler, type PtxJob } from "../../src/index.js";
import { CudaLines } from "../../src/ptx/cuda-lines.js";
import { columnOf, locateDiagnostics } from "../../src/ptx/places.js";
import { BACKENDS } from "../support/backends.js";

/** nvcc's PTX of a kernel with one site, cut at the site; `-lineinfo` added the places of the CUDA source. */
const BEFORE = `.version 7.5
.target sm_75
.address_size 64
.visible .entry scale(
	.param .u64 scale_param_0
)
{
	.reg .f32 	%f<4>;
	.reg .b64 	%rd<4>;
	.loc	1 4 0
	ld.param.u64 	%rd1, [scale_param_0];
	cvta.to.global.u64 	%rd2, %rd1;
	.loc	1 7 3
	ld.global.f32 	%f1, [%rd2];
	{
	.reg .f32 %_x0;
	.reg .f32 %_x1;
	mov.f32 %_x1, %f1;
`;
const AFTER = `	mov.f32 %f2, %_x0;
	}
	.loc	2 9 5
	st.global.f32 	[%rd2], %f2;
	ret;
}
	.file	1 "/home/somebody/src/kernel.cu"
	.file	2 "C:\\\\cuda\\\\store.h"
`;
const LINES = BEFORE.split("\n").length;

function template(before: string, after: string): PtxTemplate {
  const feeds = (text: string): number => text.split("\n").length - 1;
  return {
    names: ["func"],
    segments: [before, `\n${after}`],
    holes: [0],
    lines: [
      { kernelLine: 1, lines: feeds(before), head: 0, tail: 0 },
      { kernelLine: 1 + feeds(before), lines: 1 + feeds(after), head: 0, tail: 0 },
    ],
  };
}

const STUB = "\t{\n\t.reg .f32 %_s0_<1>;\n\tadd.f32 %_s0_0, %_x1, %_x1;\n\tmov.f32 %_x0, %_s0_0;\n\t}";

describe.each(BACKENDS)("backend %s", (backend) => {
  const compiler = new PtxCompiler({ cache: false, arch: "sm_80", backend });
  afterAll(() => compiler[Symbol.dispose]());
  const failure = async (job: PtxJob): Promise<PtxCompileError> => {
    const error: unknown = await compiler.compile(job).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(PtxCompileError);
    return error as PtxCompileError;
  };

  test("a line of a stub is shown in the stub, with the line of the site in the CUDA source", async () => {
    const func = STUB.replace("%_x1, %_x1", "%_x1, %_y1");
    const error = await failure({ template: template(BEFORE, AFTER), stubs: { func } });
    expect(error.message).toBe(
      "PTX does not compile for `sm_80`: injection `func`, site 1, stub line 3 (kernel.cu:7): Unknown symbol '%_y1' (and 1 more)\n" +
        "    3 | \tadd.f32 %_s0_0, %_x1, %_y1;\n" +
        "      | \t                      ^^^^\n" +
        "hint: did you mean `%_x1`? kernel line 17 declares it",
    );
    expect(error.diagnostics).toContainEqual({
      severity: "error",
      line: LINES + 2,
      column: 24,
      origin: { kind: "stub", injection: "func", site: 0, stubLine: 3, kernelLine: LINES },
      cuda: { file: "/home/somebody/src/kernel.cu", line: 7, column: 3 },
      message: "Unknown symbol '%_y1'",
    });
  });

  test("the registers of the site are listed if no name is near", async () => {
    const func = STUB.replace("%_x1, %_x1", "%_x1, %temporary");
    const { hint } = await failure({ template: template(BEFORE, AFTER), stubs: { func } });
    expect(hint).toBe("the registers of the site are `%_x0`, `%_x1`");
  });

  test.each(["%f9", "f1", "%rd5"])(
    "the hint for a register of the kernel lists those of the site: %s",
    async (name) => {
      const func = STUB.replace("%_x1, %_x1", `%_x1, ${name}`);
      const { hint } = await failure({ template: template(BEFORE, AFTER), stubs: { func } });
      expect(hint).toBe("the registers of the site are `%_x0`, `%_x1`");
    },
  );

  test("the hint for a register beyond a range of the stub names the range", async () => {
    const func = STUB.replace("%_x1, %_x1", "%_x1, %_s0_2");
    const { hint } = await failure({ template: template(BEFORE, AFTER), stubs: { func } });
    expect(hint).toBe("`%_s0_<1>` in injection `func`, site 1, stub line 2 declares only `%_s0_0`");
  });

  test("the hint for a name that the kernel declares suggests braces", async () => {
    const { hint } = await failure({
      template: template(BEFORE, AFTER),
      stubs: { func: "\t.reg .f32 %_x0;" },
    });
    expect(hint).toBe(
      "`%_x0` is already declared in kernel line 16: wrap the stub in `{ }`, since it may be inserted at several places",
    );
  });

  test("an open scope is reported in its stub, not in the kernel around it", async () => {
    const error = await failure({ template: template(BEFORE, AFTER), stubs: { func: STUB.slice(0, -1) } });
    expect(error.code).toBe("SYNTAX");
    // The kernel's own text is after its last function, and has no line in the CUDA source.
    expect(error.message).toContain(`kernel line ${LINES + 7}: Parsing error near '.file'`);
    expect(error.hint).toBe("injection `func`, stub line 1: expected a `}` for this `{`, found none");
  });

  test("a line of the kernel after a stub has the kernel's line number", async () => {
    const after = AFTER.replace("[%rd2], %f2", "[%rd2], %f9");
    const error = await failure({ template: template(BEFORE, after), stubs: { func: STUB } });
    expect(error.message).toBe(
      `PTX does not compile for \`sm_80\`: kernel line ${LINES + 4} (store.h:9): Unknown symbol '%f9' (and 1 more)\n` +
        `   ${LINES + 4} | \tst.global.f32 \t[%rd2], %f9;\n` +
        "      | \t              \t        ^^^\n" +
        "hint: `%f<4>` in kernel line 8 declares `%f0` to `%f3`",
    );
    expect(error.diagnostics[0]?.line).toBe(LINES + 4 + 4);
  });

  test("the rest of a line after a stub has the kernel's line number, too", async () => {
    const inLine = template(`${BEFORE}\tadd.f32 `, AFTER);
    const error = await failure({ template: inLine, stubs: { func: "%_x0, %_x1, %nosuch;" } });
    expect(error.message).toContain("stub line 1 (kernel.cu:7)");
    expect(error.message).toContain("    1 | %_x0, %_x1, %nosuch;\n      |             ^^^^^^^\n");
  });

  test("mistakes found before the compiler runs are located, too", async () => {
    const func = STUB.replace("%_x1, %_x1", "%_x1, %ü1");
    const error = await failure({ template: template(BEFORE, AFTER), stubs: { func } });
    const place = "injection `func`, site 1, stub line 3, column 25";
    expect(error.message).toBe(
      `expected ASCII, found \`ü\` (U+00FC) at ${place}\n` +
        "hint: PTX must be ASCII, including comments; `asciiComments: true` replaces other characters in comments",
    );
    expect(error.diagnostics).toEqual([
      {
        severity: "fatal",
        line: LINES + 2,
        column: 25,
        origin: { kind: "stub", injection: "func", site: 0, stubLine: 3, kernelLine: LINES },
        message: error.message.split("\n")[0],
      },
    ]);
  });

  test("bytes and texts with CR LF have the same lines", async () => {
    const ptx = BEFORE.replace("[%rd2]", "[%rd7]") + STUB + AFTER;
    const bytes = Buffer.from(ptx.replaceAll("\n", "\r\n"));
    const pending = failure(bytes);
    bytes.fill(0);
    expect((await pending).message).toBe(
      "PTX does not compile for `sm_80`: line 14 (kernel.cu:7): Unknown symbol '%rd7' (and 1 more)\n" +
        "   14 | \tld.global.f32 \t%f1, [%rd7];\n" +
        "      | \t              \t      ^^^^\n" +
        "hint: `%rd<4>` in line 9 declares `%rd0` to `%rd3`",
    );
  });
});

test.each<[string, string, number | undefined]>([
  ["Unknown symbol '%f9'", "\tadd.f32 %f1, %f90, %f9;", 21],
  ["Arguments mismatch for instruction 'add'", "@%p1 add.f32 %added, %f1;", 6],
  ["Unknown modifier '.ftzz'", "add.ftzz.f32 a, b;", 4],
  ["Feature 'tanh.bf16' requires .target sm_90 or higher", "\ttanh.approx.bf16 %h1, %h1;", 2],
  ["Duplicate definition of variable '%f<'", "\t.reg .f32 %f<4>;", 12],
  ["Parsing error near '}': syntax error", "ret; }", 6],
  ["Unknown symbol 'a'", "mov.u32 a, b; mov.u32 a, b;", undefined],
  ["Unknown symbol 'b'", "mov.u32 a, 1; mov.u32 c, b;", 26],
  ["Parsing error near '': syntax error", "ret;", undefined],
  ["Unknown symbol 'elsewhere'", "ret;", undefined],
  ["Illegal vector size: 3", "ret;", undefined],
  ["Unsupported .version 10.5; current version is '9.0'", ".version 10.5", 10],
  ["Unsupported .version 9.9; current version is '9.0'", ".version \t9.9 // 9", 11],
])("%s in %s", (message, line, column) => {
  expect(columnOf(message, line)).toBe(column);
});

test("lines that the text does not have are kept without a place", () => {
  const diagnostics = [{ severity: "error", line: 99, message: "Unknown symbol 'a'" }] as const;
  expect(locateDiagnostics(diagnostics, undefined, "a\nb")).toEqual(diagnostics);
});

test("a place of the CUDA source applies up to the end of its function", () => {
  const ptx = `${BEFORE}${AFTER}.visible .entry other()\n{\n\tret;\n\t.loc 3 1 1\n\tret;\n}\n`;
  const lines = new CudaLines(ptx);
  expect(lines.at(ptx.indexOf(".version"))).toBeUndefined();
  expect(lines.at(ptx.indexOf("ld.param"))).toEqual({
    file: "/home/somebody/src/kernel.cu",
    line: 4,
    column: 0,
  });
  expect(lines.at(ptx.indexOf("\t.loc\t1 7 3") - 1)?.line).toBe(4);
  expect(lines.at(ptx.indexOf("\t.loc\t1 7 3"))?.line).toBe(7);
  expect(lines.at(ptx.indexOf("\tret;\n\t.loc 3"))).toBeUndefined();
  // There is no `.file` of that number.
  expect(lines.at(ptx.length)).toBeUndefined();
  expect(new CudaLines("// .loc 1 2 3").at(5)).toBeUndefined();
});

test("long lines, and messages that quote much, are not searched", () => {
  expect(columnOf("Unknown symbol 'a'", `a${" ".repeat(10_000)}`)).toBeUndefined();
  expect(columnOf(`${"'b' ".repeat(7)}'a'`, "a")).toBe(1);
  expect(columnOf(`${"'b' ".repeat(8)}'a'`, "a")).toBeUndefined();
});
