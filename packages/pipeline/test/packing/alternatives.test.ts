// The text of kernels with alternatives: what is added, where, and what is refused.
import { EmulatedDevice } from "@mm-ptx/emulator";
import { type AnnotatedPtx, parsePtx } from "@mm-ptx/inject";
import { u32 } from "@mm-ptx/types/device";
import { describe, expect, it } from "vitest";
import { PipelineError } from "../../src/index.js";
import { alternativesKernel } from "../../src/packing/alternatives.js";
import type { AlternativesRequest } from "../../src/packing/question.js";
import { kernelWith, LOADS, SITE } from "./support/kernels.js";

const requestOf = (
  annotated: AnnotatedPtx,
  changes: Partial<AlternativesRequest> = {},
): AlternativesRequest => ({
  ...{ annotated, entry: "kernel", axis: "z", strides: [undefined, 512, undefined] },
  ...{ counts: new Map([["func", 3]]), combine: "pairwise" },
  ...changes,
});
const textOf = (annotated: AnnotatedPtx, changes?: Partial<AlternativesRequest>): string =>
  alternativesKernel(requestOf(annotated, changes)).annotated.text;
const linesBeforeSites = (text: string): number =>
  text.split("PTX_INJECT_START", 1)[0]!.split("\t{\n\t.reg .pred %_none")[0]!.split("\n").length;

describe("the text", () => {
  it("has a parameter, registers and the parts of alternatives on the lines that were there", () => {
    const annotated = kernelWith({});
    const { annotated: expanded, hasFirst } = alternativesKernel(requestOf(annotated));
    expect(hasFirst).toBe(true);
    const lines = expanded.text.split("\n");
    expect(lines[4]).toBe(
      ".visible .entry kernel(.param .u64 in, .param .u64 out, .param .u32 n, .param .u32 kernel_first_alternative)",
    );
    expect(lines[5]).toBe(
      "{ .reg .u32 %_mm_alternative; .reg .u32 %_mm_alternative_first; ld.param.u32 %_mm_alternative_first, [kernel_first_alternative]; mov.u32 %_mm_alternative, %ctaid.z; add.u32 %_mm_alternative, %_mm_alternative, %_mm_alternative_first;",
    );
    expect(lines[11]).toBe("\tld.param.u64 %rd2, [out]; mad.wide.u32 %rd2, %_mm_alternative, 512, %rd2;");
    expect(lines.slice(12, 19)).toEqual(annotated.text.split("\n").slice(12, 19));
    expect(expanded.injections.map(({ name }) => name)).toEqual(["func_0", "func_1", "func_2"]);
    expect(expanded.text.match(/brx\.idx %_mm_alternative,/g)).toHaveLength(1);
  });

  it("counts along y", () => {
    expect(textOf(kernelWith({}), { axis: "y" })).toContain("mov.u32 %_mm_alternative, %ctaid.y;");
  });

  it("adds the parts under the guard of a load, wherever it is", () => {
    const loads = `${LOADS}\n\t@%p1 ld.param.u64 %rd6, [out];\n\t@!%p2 ld.param.b64 %rd7,[out+0] ;`;
    const text = textOf(kernelWith({ loads }));
    expect(text).toContain(
      "@%p1 ld.param.u64 %rd6, [out]; @%p1 mad.wide.u32 %rd6, %_mm_alternative, 512, %rd6;",
    );
    expect(text).toContain("[out+0] ; @!%p2 mad.wide.u32 %rd7, %_mm_alternative, 512, %rd7;");
  });

  it("takes names that the kernel does not have", () => {
    const text = textOf(
      kernelWith({ before: "\t.reg .u32 %_mm_alternative;", module: "// kernel_first_alternative" }),
    );
    expect(text).toContain("{ .reg .u32 %_mm_alternative_;");
    expect(text).toContain(".param .u32 kernel_first_alternative_)");
  });

  it("computes the index of each injection if each runs with each, the last one changing fastest", () => {
    const other = SITE.replace("START func", "START other");
    const counts = new Map([
      ["func", 2],
      ["other", 3],
    ]);
    const text = textOf(kernelWith({ after: other }), { counts, combine: "cross" });
    expect(text).toContain(
      "mov.u32 %_mm_alternative_of_0, %_mm_alternative; rem.u32 %_mm_alternative_of_1, %_mm_alternative_of_0, 3; div.u32 %_mm_alternative_of_0, %_mm_alternative_of_0, 3;\n",
    );
    expect(text).toContain("brx.idx %_mm_alternative_of_0,");
    expect(text).toContain("brx.idx %_mm_alternative_of_1,");
  });

  it.each([
    ["kernel", "kernel(.param .u32 kernel_first_alternative)"],
    ["kernel()", "kernel(.param .u32 kernel_first_alternative)"],
    ["kernel /* no */ // (none)\n( )", "kernel /* no */ // (none)\n(.param .u32 kernel_first_alternative )"],
  ])("gives a kernel its first parameter: %s", (header, expected) => {
    const annotated = parsePtx(
      `.version 8.0\n.target sm_80\n.visible .entry ${header}\n{\n\t.reg .f32 %f<3>;\n${SITE}\n\tret;\n}\n`,
    );
    const text = textOf(annotated, { strides: [] });
    expect(text).toContain(`.entry ${expected}\n{ .reg`);
  });

  it("changes forward declarations of the kernel as well", () => {
    const text = textOf(
      kernelWith({ module: ".visible .entry kernel(.param .u64 a, .param .u64 b, .param .u32 c);" }),
    );
    expect(text.match(/, \.param \.u32 kernel_first_alternative\)/g)).toHaveLength(2);
  });

  it("chooses by the block in functions, without a parameter", () => {
    const body = SITE.replaceAll("%f1", "%g1").replaceAll("%f2", "%g2");
    const module = `.func inner(.reg .f32 %g1)\n{\n\t.reg .f32 %g2;\n${body}\n\tret;\n}\n`;
    const annotated = kernelWith({ module, site: "\tcall.uni inner, (%f1);\n\tmov.f32 %f2, %f1;" });
    const { annotated: expanded, hasFirst } = alternativesKernel(requestOf(annotated));
    expect(hasFirst).toBe(false);
    expect(expanded.text).not.toContain("first_alternative");
    const prelude = "{ .reg .u32 %_mm_alternative; mov.u32 %_mm_alternative, %ctaid.z;";
    expect(expanded.text.split(prelude)).toHaveLength(3);
  });

  it("writes sites of 0.x as those of 1.1", () => {
    const site = "\t// PTX_INJECT_START func\n\t// %f2 out f32 z\n\t// %f1 in f32 x\n\t// PTX_INJECT_END";
    const { annotated } = alternativesKernel(requestOf(kernelWith({ site })));
    expect(annotated.injection("func_2").operands.map(({ register }) => register)).toEqual(["_x0", "_x1"]);
    expect(annotated.text).toContain("mov.f32 %_x1, %f1;");
  });

  it("keeps the lines before the first site", () => {
    const annotated = kernelWith({ before: "\t// one\n\t// two" });
    expect(linesBeforeSites(textOf(annotated))).toBe(linesBeforeSites(annotated.text));
  });
});

describe("a launch", () => {
  it("runs the alternatives from the first one on, each on its own part, and nothing after the last", async () => {
    const { annotated } = alternativesKernel(
      requestOf(kernelWith({}), { strides: [undefined, 256, undefined] }),
    );
    const stubs = [1, 2, 3].map((factor, i) => {
      const view = new DataView(new ArrayBuffer(4));
      view.setFloat32(0, factor);
      return [
        `func_${i}`,
        `\tmul.f32 %_x0, %_x1, 0f${view.getUint32(0).toString(16).padStart(8, "0")};`,
      ] as const;
    });
    using device = EmulatedDevice.open();
    using module = device.load(annotated.render(Object.fromEntries(stubs)));
    const input = device.allocate(64 * 4);
    await input.copyFrom(Float32Array.from({ length: 64 }, (_, i) => i));
    const output = device.allocate(4 * 256);
    await output.copyFrom(new Float32Array(4 * 64).fill(-1));
    const shape = { grid: [1, 1, 3], block: 64 } as const;
    device.stream.launch(module.kernel("kernel"), shape, [input, output, u32(64), u32(1)]);
    const found = new Float32Array(((await output.read()) as Uint8Array).slice().buffer);
    const parts = [-1, 2, 3, 0].map((factor) =>
      Array.from({ length: 64 }, (_, i) => (factor < 0 ? -1 : factor * i)),
    );
    expect([...found]).toEqual(parts.flat());
  });
});

describe("refused:", () => {
  const errorOf = (changes: Partial<AlternativesRequest>): PipelineError => {
    try {
      alternativesKernel(
        requestOf(kernelWith({ after: SITE.replace("START func", "START other") }), changes),
      );
    } catch (error) {
      if (error instanceof PipelineError) return error;
      throw error;
    }
    throw new Error("expected an error");
  };

  it.each([0, 255, 256.5, 2 ** 32, -256, Number.NaN, "256" as unknown as number])(
    "INVALID_ARGUMENT: a stride of %s",
    (stride) => {
      const { code, message } = errorOf({ strides: [undefined, stride, undefined] });
      expect(code).toBe("INVALID_ARGUMENT");
      expect(message).toContain("expected strides that are multiples of 256 below 4294967296, found ");
    },
  );

  it("INVALID_ARGUMENT: another number of strides than parameters", () => {
    const { code, message } = errorOf({ strides: [256] });
    expect(code).toBe("INVALID_ARGUMENT");
    expect(message).toBe("expected a stride for each of the 3 parameters of `kernel`, found 1");
  });

  it("INVALID_ARGUMENT: different numbers of alternatives that are paired", () => {
    const counts = new Map([
      ["func", 2],
      ["other", 3],
    ]);
    const { code, message } = errorOf({ counts });
    expect(code).toBe("INVALID_ARGUMENT");
    expect(message).toBe(
      "expected as many alternatives of each injection, which are paired, found 2 of `func`, 3 of `other`",
    );
    expect(
      textOf(kernelWith({ after: SITE.replace("START func", "START other") }), { counts, combine: "cross" }),
    ).toContain("func_1");
  });

  it("NOT_FOUND: a kernel or an injection that does not exist", () => {
    expect(errorOf({ entry: "other" }).code).toBe("NOT_FOUND");
    expect(errorOf({ counts: new Map([["f", 2]]) }).code).toBe("NOT_FOUND");
  });
});
