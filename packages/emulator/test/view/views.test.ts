// Counts and traces as readers see them.
import { describe, expect, it } from "vitest";
import { checkProgram } from "../../src/front/index.js";
import { heatMap } from "../../src/view/index.js";
import { annotatedListing } from "../../src/view/listing.js";
import { tracedStep, traceLine } from "../../src/view/trace.js";
import { valueText } from "../../src/view/value.js";

const TEXT = `.version 9.0
.target sm_75
.address_size 64
.visible .entry count(.param .u64 data)
{
	.reg .pred %p<2>;
	.reg .b32 %r<3>;
	mov.u32 %r1, 0;
$L:
	add.s32 %r1, %r1, 1; // <one> & "more"
	setp.lt.s32 %p1, %r1, 1000;
	@%p1 bra $L;
	ret;
}
.visible .entry idle()
{
	ret;
}
`;
const program = checkProgram(TEXT);
const COUNTS = [new Float64Array([32, 32000, 32000, 32000, 32]), new Float64Array(1)];

describe("the annotated listing", () => {
  it("has the functions that ran, each line with its count and its share", () => {
    expect(annotatedListing(program, COUNTS)).toBe(
      [
        "                    4 | .visible .entry count(.param .u64 data)",
        "                    5 | {",
        "                    6 |         .reg .pred %p<2>;",
        "                    7 |         .reg .b32 %r<3>;",
        "    32    0.0 %     8 |         mov.u32 %r1, 0;",
        "                    9 | $L:",
        '32,000   33.3 %    10 |         add.s32 %r1, %r1, 1; // <one> & "more"',
        "32,000   33.3 %    11 |         setp.lt.s32 %p1, %r1, 1000;",
        "32,000   33.3 %    12 |         @%p1 bra $L;",
        "    32    0.0 %    13 |         ret;",
        "                   14 | }",
        "",
      ].join("\n"),
    );
  });

  it("is empty when nothing ran", () => {
    expect(annotatedListing(program, [new Float64Array(5), new Float64Array(1)])).toBe("\n");
  });
});

describe("the heat map", () => {
  const picture = heatMap(program, COUNTS, 'count of "a & b"');

  it("is an SVG with a row for each line, warmer for lines that ran more often", () => {
    expect(picture).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="\d+" height="\d+" /);
    expect(picture).toContain('aria-label="count of &quot;a &amp; b&quot;"');
    expect(picture).toContain("add.s32 %r1, %r1, 1; // &lt;one&gt; &amp; &quot;more&quot;");
    expect(picture.match(/32,000</g)).toHaveLength(3);
    expect(picture).not.toContain("idle");
    const heats = [...picture.matchAll(/height="17" class="(heat\d)"/g)].map((match) => match[1]);
    expect(new Set(heats).size).toBe(2);
    expect(heats).toHaveLength(5);
  });

  it("has a scale that begins at 0", () => {
    const counts = [Float64Array.of(64, 50, 64, 1, 64), new Float64Array(1)];
    const heats = [...heatMap(program, counts, "").matchAll(/class="heat(\d)"/g)].map(([, heat]) => heat);
    expect(heats).toEqual(["6", "6", "6", "1", "6"]);
  });

  it("keeps spaces, and follows the choice of a dark page, in browsers", () => {
    const style = /<style>(.*)<\/style>/.exec(picture)![1]!;
    expect(style).toMatch(/^text\{white-space:pre\}/);
    const [light = "", dark = ""] = style.split("@media (prefers-color-scheme:dark)");
    const names = (rules: string) => [...rules.matchAll(/\.(\w+)\{fill:#/g)].map((match) => match[1]);
    expect(names(dark)).toEqual(names(light));
    expect(picture.replace(style, "")).not.toMatch(/fill="|#\w{6}/);
    for (const [, name] of picture.matchAll(/class="(\w+)"/g)) expect(names(light)).toContain(name);
  });

  it("can be drawn without any counts", () => {
    expect(heatMap(program, [new Float64Array(5), new Float64Array(1)], "nothing")).toContain("</svg>");
  });
});

describe("a step of a trace", () => {
  it("is a line with the values of its registers", () => {
    const step = tracedStep(program, { function: 0, instruction: 1, read: () => 5n });
    expect(step).toMatchObject({ function: "count", line: 10, instruction: "add.s32 %r1, %r1, 1" });
    expect(traceLine(step)).toBe("   10  add.s32 %r1, %r1, 1                             %r1=5");
  });

  it("has the registers of vectors, addresses and predicates", () => {
    const text = TEXT.replace("mov.u32 %r1, 0;", "@%p1 st.global.v2.u32 [%rd1], {%r1, %r2};").replace(
      ".reg .b32",
      ".reg .b64 %rd<2>; .reg .b32",
    );
    const vectors = checkProgram(text);
    const { registers } = vectors.functions[0]!;
    const values: Record<string, bigint> = { "%p1": 1n, "%rd1": 0x7f0000000100n, "%r1": 1n, "%r2": 2n };
    const read = (register: number) => values[registers[register]!.name]!;
    const step = tracedStep(vectors, { function: 0, instruction: 0, read });
    expect(step.values.map(({ register, type, text }) => `${register} ${type} ${text}`)).toEqual([
      "%rd1 b64 0x7f0000000100",
      "%r1 u32 1",
      "%r2 u32 2",
      "%p1 pred true",
    ]);
  });
});

describe("bits as text", () => {
  it.each([
    [0x3f800000n, "f32", "1"],
    [0x3dcccccdn, "f32", "0.1"],
    [0x80000000n, "f32", "-0"],
    [0x7fffffffn, "f32", "NaN(0x7fffffff)"],
    [0x7f800000n, "f32", "Infinity"],
    [0x00000001n, "f32", "1e-45"],
    [0x3fb999999999999an, "f64", "0.1"],
    [0xffffffffn, "s32", "-1"],
    [0xffffffffn, "u32", "4294967295"],
    [0xffffffffn, "b32", "0xffffffff"],
    [0x7f0002000000n, "u64", "0x7f0002000000"],
    [12n, "u64", "12"],
    [0x7f0002000000n, "s64", "0x7f0002000000"],
    [2n ** 64n - 1n, "s64", "-1"],
    [1n, "pred", "true"],
    [0x3c00n, "f16", "0x3c00"],
  ] as const)("%s as %s is %s", (bits, type, text) => expect(valueText(bits, type)).toBe(text));
});

describe("values that are not counts, programs or steps", () => {
  it.each<[string, () => unknown, string]>([
    [
      "counts that were not requested",
      () => annotatedListing(program, undefined as never),
      "expected the counts of a launch of this program with `counts: true`, found undefined",
    ],
    ["counts of another program", () => heatMap(program, [new Float64Array(5)], ""), "found an array"],
    [
      "no program",
      () => annotatedListing(null as never, COUNTS),
      "expected the `program` of a module, found null",
    ],
    ["no title", () => heatMap(program, COUNTS, undefined as never), "expected `title` as a string"],
    ["no step", () => traceLine({} as never), "expected a step of a trace, found an object"],
  ])("is refused: %s", (_, view, message) => {
    expect(view).toThrowError(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining(message) }),
    );
  });
});

it("a text of very many lines has a listing and a picture", () => {
  const text = TEXT.replace("\tret;\n", `${"\n".repeat(150_000)}\tret;\n`);
  const long = checkProgram(text);
  expect(annotatedListing(long, COUNTS).split("\n").length).toBeGreaterThan(150_000);
  expect(heatMap(long, COUNTS, "long")).toContain("</svg>");
});
