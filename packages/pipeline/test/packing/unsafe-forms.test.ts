// Kernels that may not run alternatives because of their form or of single instructions, with the reason.
import { parsePtx } from "@mm-ptx/inject";
import { describe, expect, it } from "vitest";
import type { PackQuestion } from "../../src/packing/question.js";
import { ask, kernelWith, LOADS, type Parts, SHARED, SITE } from "./support/kernels.js";

const reasonFor = (parts: Parts, question?: Partial<PackQuestion>): string => {
  const answer = ask(parts, question);
  return answer.kind === "kernels" ? answer.reason : `none: ${JSON.stringify(answer)}`;
};
describe("not shown to be safe:", () => {
  it.each<[string, string, Parts]>([
    [
      "a vector of parameters",
      "uses the parameter `out` in another way than by loading it whole",
      { loads: "\tld.param.v2.u64 {%rd1, %rd2}, [out];" },
    ],
    [
      "half a parameter",
      "uses the parameter `out` in another way than by loading it whole",
      { loads: `${LOADS}\n\tld.param.u32 %r3, [out];` },
    ],
    [
      "a part of a parameter",
      "uses the parameter `out` in another way than by loading it whole",
      { loads: LOADS.replace("[out]", "[out+4]") },
    ],
    [
      "the address of a parameter",
      "uses the parameter `out` in another way than by loading it whole",
      { loads: `${LOADS}\n\tmov.b64 %rd9, out;` },
    ],
    [
      "an output of 32 bits",
      "has a parameter `out` of 32 bits, which is not an address",
      {
        parameters: ".param .u64 in, .param .u32 out, .param .u32 n",
        loads: LOADS.replace("u64 %rd2", "u32 %r7"),
      },
    ],
    [
      "an unknown instruction",
      "uses `sust.b.1d.b32.trap`, which is not known to be safe",
      { after: "\tsust.b.1d.b32.trap [%rd9, {%r2}], {%r2};" },
    ],
    [
      "a bulk copy",
      "uses `cp.async.bulk.prefetch.L2.global`, which is not known to be safe",
      { after: "\tcp.async.bulk.prefetch.L2.global [%rd4], 64;" },
    ],
    [
      "memory of a cluster",
      "uses `st.shared::cluster.f32`, which is not known to be safe",
      { module: SHARED, after: "\tst.shared::cluster.f32 [tile], %f2;" },
    ],
    [
      "the clock",
      "reads `%clock`, which may differ from launch to launch",
      { before: "\tmov.u32 %r3, %clock;" },
    ],
    [
      "the grid",
      "reads `%gridid`, which may differ from launch to launch",
      { before: "\tmov.u64 %rd6, %gridid;" },
    ],
    [
      "the whole index of the block",
      "reads `%ctaid`, which counts alternatives",
      { before: "\tmov.v4.u32 {%r3, %r4, %r5, %r6}, %ctaid;" },
    ],
    [
      "both axes",
      "reads `%ctaid.z`, which counts alternatives (line 19), and reads `%nctaid.y`, which counts alternatives (line 20)",
      { before: "\tmov.u32 %r3, %ctaid.z;\n\tmov.u32 %r4, %nctaid.y;" },
    ],
    ["a cluster", "has clusters (`.reqnctapercluster`)", { directives: " .reqnctapercluster 2, 1, 1" }],
    [
      "a module that may launch it",
      "is named in the module itself, which may launch it",
      { module: "", after: "\tmov.u64 %rd6, kernel;" },
    ],
    [
      "an old version of PTX",
      "cannot have alternatives of `func`: expected PTX 6.0 or later",
      { version: "5.0" },
    ],
    [
      "a name that is taken",
      "has an injection `func_3`, a name that an alternative of `func` takes",
      { after: SITE.replace("START func", "START func_3") },
    ],
    ["a text with mistakes", "contains mistakes", { after: "\t%;" }],
    [
      "too many parameters",
      "has no room for a parameter",
      { parameters: ".param .u64 in, .param .u64 out, .param .u32 n, .param .align 4 .b8 rest[4340]" },
    ],
  ])("%s", (_, reason, parts) => {
    const own =
      parts.parameters?.includes("rest") === true ? [false, true, false, false] : [false, true, false];
    expect(reasonFor(parts, { perAlternative: own })).toContain(reason);
  });

  it("a grid with blocks along both axes", () => {
    expect(reasonFor({}, { grid: [1, 2, 3] })).toBe(
      "is launched with 3 blocks along z, and is launched with 2 blocks along y",
    );
  });

  it("a site outside of functions", () => {
    const text = `${kernelWith({}).text}\n// PTX_INJECT_START func\n// _x0 o f32 F32 z\n// _x1 i f32 F32 x\n// PTX_INJECT_END\n`;
    expect(reasonFor({}, { annotated: parsePtx(text) })).toBe("has a site of `func` outside of functions");
  });
});
