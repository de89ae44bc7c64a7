// Reports of findings: text, JSON, SARIF and JUnit.
import { readFileSync } from "node:fs";
import { s32, u64 } from "@mm-ptx/types/device";
import { beforeAll, describe, expect, it } from "vitest";
import { EmulatedDevice, type Finding } from "../../src/index.js";
import { findingsJson, findingsJunit, findingsSarif, findingsText } from "../../src/view/index.js";
import { kernelText } from "../support/launching.js";

const WITH_SOURCE = readFileSync(new URL("../source/shift.ptx", import.meta.url), "utf8");

async function found(ptx: string): Promise<readonly Finding[]> {
  const allocatedAt = () => [{ file: "host <&>.cpp", line: 7, function: "main" }];
  const device = EmulatedDevice.open({ check: { memory: true, leaks: true }, allocatedAt });
  const module = device.load(ptx);
  // The one with the most parameters.
  const kernels = module.kernels.map((name) => module.kernel(name));
  const kernel = kernels.sort((a, b) => b.parameters.length - a.parameters.length)[0]!;
  const buffer = device.allocate(8);
  const args = kernel.parameters.map(({ bytes }) => (bytes === 8 ? u64(buffer.address) : s32(64)));
  await device.stream.run(kernel, { grid: 1, block: 32 }, args);
  device.dispose();
  return device.findings;
}

/** The parts of a log that are checked. */
interface Log {
  readonly version: string;
  readonly runs: readonly [
    {
      readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
      readonly results: readonly { readonly ruleId: string; readonly ruleIndex: number }[];
    },
  ];
}

describe("a report", () => {
  let plain: readonly Finding[] = [];
  beforeAll(async () => {
    plain = await found(
      kernelText("\t.reg .b32 %r<2>;\n\tmov.u32 %r1, %tid.x;\n\tst.global.u32 [%a0+16], %r1;"),
    );
  });

  it("as text has the place, the threads, the allocation, a hint and a summary", () => {
    expect(findingsText(plain, { file: "k.ptx", leftOut: 3 })).toBe(
      [
        "k.ptx:11:2: error: access out of bounds in kernel kernel, 32 times",
        "  expected an address in an allocation, found a store of 4 bytes at 0x7f0002000010, 8 bytes after buffer 1 (8 bytes at 0x7f0002000000)",
        "  at line 11, column 2: st.global.u32 [%a0+16], %r1",
        "  by thread (0, 0, 0) of block (0, 0, 0), thread (1, 0, 0) of block (0, 0, 0), thread (2, 0, 0) of block (0, 0, 0), …: 32 threads of 1 block",
        "  buffer 1 (8 bytes) was allocated at host <&>.cpp:7 in main",
        "host <&>.cpp:7: error: leak, once",
        "  expected a buffer that is freed, found buffer 1 of 8 bytes, which is not",
        "  buffer 1 (8 bytes) was allocated at host <&>.cpp:7 in main",
        "the PTX has no source lines: compile with `nvcc -lineinfo` to see lines of CUDA",
        "2 errors, 3 occurrences of others left out",
        "",
      ].join("\n"),
    );
    expect(findingsText([])).toBe("no findings\n");
    expect(findingsText([], { stopped: true })).toBe("no findings; a launch stopped with an error\n");
  });

  it("as JSON has addresses as text", () => {
    expect(findingsJson(plain)).toMatchObject({
      errors: 2,
      findings: [
        { kind: "OUT_OF_BOUNDS", address: "0x7f0002000010" },
        { kind: "LEAK", at: { line: 7 } },
      ],
    });
  });

  it("as JSON and SARIF has the names of kernels in CUDA and in the PTX", () => {
    const named = plain.slice(0, 1).map((finding) => ({ ...finding, kernel: "_Z4addsPfi" }));
    expect(findingsJson(named)).toMatchObject({
      findings: [{ kernel: "_Z4addsPfi", kernelName: "adds(float*, int)" }],
    });
    expect(findingsSarif(named)).toMatchObject({
      runs: [
        {
          results: [
            {
              locations: [{ logicalLocations: [{ name: "adds(float*, int)", decoratedName: "_Z4addsPfi" }] }],
            },
          ],
        },
      ],
    });
  });

  it("as SARIF has a rule for each result and URIs", () => {
    const { version, runs } = findingsSarif(plain, { file: "a b.ptx" }) as Log;
    expect(version).toBe("2.1.0");
    const [run] = runs;
    for (const { ruleId, ruleIndex } of run.results)
      expect(run.tool.driver.rules[ruleIndex]!.id).toBe(ruleId);
    expect(run.results[0]).toMatchObject({
      level: "error",
      occurrenceCount: 32,
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "a%20b.ptx" },
            region: { startLine: 11, startColumn: 2 },
          },
        },
      ],
      relatedLocations: [{ physicalLocation: { artifactLocation: { uri: "host%20%3C%26%3E.cpp" } } }],
    });
  });

  it("as JUnit is escaped, and passes without findings", () => {
    const text = findingsJunit(plain);
    expect(text).toContain('tests="2" failures="2"');
    expect(text).toContain('file="host &lt;&amp;&gt;.cpp" line="7"');
    expect(findingsJunit([])).toContain('tests="1" failures="0"');
  });

  it("says that a launch stopped with an error that is no finding", () => {
    expect(findingsText(plain, { stopped: true })).toContain("\n2 errors; a launch stopped with an error\n");
    expect(findingsJson([], { stopped: true })).toMatchObject({ errors: 0, stopped: true });
    expect(findingsJunit([], { stopped: true })).toContain('tests="1" failures="1"');
    expect(findingsJunit(plain, { stopped: true })).toContain('tests="3" failures="3"');
    expect(findingsSarif([], { stopped: true })).toMatchObject({
      runs: [{ invocations: [{ executionSuccessful: false }] }],
    });
  });

  it("has the innermost line that is not in a header of CUDA", async () => {
    const [first, ...others] = await found(WITH_SOURCE);
    const header = {
      ...{ file: "/usr/local/cuda-13.0/bin/../targets/x86_64-linux/include/cuda_fp16.hpp", line: 264 },
      ...{ column: 1, function: "f", source: undefined },
    };
    const { place } = first!;
    const inHeader = { ...first!, place: { ...place!, frames: [header, ...place!.frames] } };
    const [heading] = findingsText([inHeader, ...others]).split("\n");
    expect(heading).toMatch(/^\S*shift\.cu:\d+/);
    const all = { ...first!, place: { ...place!, frames: [header] } };
    expect(findingsText([all])).toMatch(/^\S*cuda_fp16\.hpp:264:1: error/);
    const [run] = (findingsSarif([inHeader]) as Log).runs;
    expect(JSON.stringify(run.results)).toContain("in a function of CUDA");
  });

  it("has one finding for the instructions of a line", async () => {
    const lines = (second: number) =>
      `${kernelText(`\t.loc 1 5 3\n\tst.global.u32 [%a0+16], 1;\n\t.loc 1 ${second} 3\n\tst.global.u32 [%a0+20], 1;`)}\n.file 1 "a.cu"\n`;
    const errors = async (second: number) =>
      (await found(lines(second))).filter(({ check }) => check === "memory");
    expect((await errors(5)).map(({ occurrences }) => occurrences)).toEqual([64]);
    expect((await errors(6)).map(({ occurrences }) => occurrences)).toEqual([32, 32]);
  });

  it("does not ask for lines where CUDA has added a function without any", async () => {
    const before =
      ".func __add(.param .b64 to)\n{\n\t.reg .b64 %rd;\n\tld.param.u64 %rd, [to];\n\tst.global.u32 [%rd+16], 1;\n\tret;\n}\n";
    const call = "\t{ .param .b64 to; st.param.b64 [to], %a0; call.uni __add, (to); }";
    const withLine = `${kernelText(`\t.loc 1 5 3\n${call}`, { before })}\n.file 1 "a.cu"\n`;
    const text = findingsText(await found(withLine), { file: "k.ptx" });
    expect(text).toMatch(/ {2}at line \d+, column 2 in `__add`, which has no source lines: st\.global/);
    expect(text).not.toContain("-lineinfo");
    const without = findingsText(await found(kernelText(call, { before })), { file: "k.ptx" });
    expect(without).toContain("-lineinfo");
    expect(without).not.toContain("which has no source lines");
  });

  it("names lines of CUDA if the PTX has them", async () => {
    const text = findingsText(await found(WITH_SOURCE));
    expect(text).toMatch(/shift\.cu:\d+/);
    expect(text).not.toContain("-lineinfo");
  });
});
