// Filled kernels as plain data, and templates that no PTX text would produce: segments without line ends,
// stubs of any form.
import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import {
  checkFilledKernel,
  describeLine,
  type FilledKernel,
  FilledKernelError,
  filledKernel,
  locateLine,
  type PtxTemplate,
  renderBytes,
  renderText,
} from "../../src/core/index.js";
import { countLineFeeds, locatedPtx } from "../../src/internal/index.js";

/** A template of plain segments; its kernel has one more line for each site. */
function templateOf(segments: readonly string[], holes: readonly number[]): PtxTemplate {
  let kernelLine = 1;
  const lines = segments.map((segment) => {
    const own = { kernelLine, lines: countLineFeeds(segment), head: 0, tail: 0 };
    kernelLine += own.lines + 1;
    return own;
  });
  return { names: ["f", "g"], segments, holes, lines };
}

test("a line belongs to the first stub that contributes to it", () => {
  const map = filledKernel(templateOf(["a", "", "b\n", "c"], [0, 1, 0]), { f: "1\n2", g: "3" });
  expect([1, 2, 3].map((line) => describeLine(locateLine(map, line)!))).toEqual([
    "injection `f`, site 1, stub line 1",
    "injection `f`, site 1, stub line 2",
    "injection `f`, site 2, stub line 1",
  ]);
  expect(describeLine(locateLine(map, 4)!)).toBe("injection `f`, site 2, stub line 2");
  expect(locateLine(map, 5)).toBeUndefined();
});

test("segment ends that the kernel lacks map to the lines of the sites", () => {
  const lines = [
    { kernelLine: 1, lines: 3, head: 0, tail: 2 },
    { kernelLine: 7, lines: 4, head: 2, tail: 0 },
  ];
  const segments = ["\n\n\n", "\n\n\n\n"];
  const map = filledKernel({ names: ["f"], segments, holes: [0], lines }, { f: "" });
  expect([1, 2, 3, 4, 5, 6, 7, 8].map((line) => locateLine(map, line)?.kernelLine)).toEqual([
    ...[1, 2, 2],
    ...[2, 2, 2, 8, 9],
  ]);
  expect(locateLine(map, 4)).toEqual({ kind: "stub", injection: "f", site: 0, stubLine: 1, kernelLine: 2 });
});

const FILLED = filledKernel(templateOf(["a\n", "b"], [1]), { f: "", g: "x\n\n" });

test("a filled kernel is frozen, plain, and survives clones and JSON", () => {
  expect([FILLED, FILLED.stubs, FILLED.template, FILLED.template.lines].every(Object.isFrozen)).toBe(true);
  expect(renderText(FILLED)).toBe("a\nx\n\nb");
  expect(new TextDecoder().decode(renderBytes(FILLED))).toBe(renderText(FILLED));
  for (const copy of [structuredClone(FILLED), JSON.parse(JSON.stringify(FILLED)) as FilledKernel]) {
    expect(copy).toEqual(FILLED);
    expect(checkFilledKernel(copy)).toBe(copy);
    expect(Object.isFrozen(copy) && Object.isFrozen(copy.stubs) && Object.isFrozen(copy.template)).toBe(true);
    expect(renderText(copy)).toBe(renderText(FILLED));
    expect(locateLine(copy, 3)).toEqual(locateLine(FILLED, 3));
  }
  expect(filledKernel(FILLED.template, new Map(Object.entries(FILLED.stubs)))).toEqual(FILLED);
});

test("its stubs are a copy and may have the names of inherited properties", () => {
  const stubs = { f: "1", g: "2" };
  const filled = filledKernel(FILLED.template, stubs);
  stubs.f = "3";
  expect(filled.stubs.f).toBe("1");
  const template = { ...FILLED.template, names: ["__proto__", "constructor"] };
  const odd = filledKernel(
    template,
    new Map([
      ["__proto__", "p"],
      ["constructor", "c"],
    ]),
  );
  expect(renderText(odd)).toBe("a\ncb");
  expect(renderText(checkFilledKernel(JSON.parse(JSON.stringify(odd))))).toBe("a\ncb");
  expect(() => filledKernel({ ...template }, {})).toThrow(
    "`stubs.__proto__`: expected PTX text, found undefined",
  );
});

test("text with the origins of its lines", () => {
  const located = locatedPtx(FILLED);
  expect(located.text).toBe(renderText(FILLED));
  expect([1, 2, 3, 4, 5].map((line) => located.locate(line))).toEqual(
    [1, 2, 3, 4, 5].map((line) => locateLine(FILLED, line)),
  );
  expect([...located.stubs()]).toEqual([
    { injection: "f", text: "" },
    { injection: "g", text: "x\n\n" },
  ]);
});

test.each<[what: string, change: object | string, place: string, message: string]>([
  ["not an object", "text", "filled", "expected an object with `template` and `stubs`, found `text`"],
  [
    "the method of an annotated kernel",
    { template: () => ({}) },
    "template",
    "expected a template, found a function, as in a kernel that has to be filled first with `kernel.fill(stubs)`",
  ],
  ["no template", { template: undefined }, "template", "expected a template, found undefined"],
  ["no stubs", { stubs: null }, "stubs", "expected stubs by the names of injections, found null"],
  ["a list of stubs", { stubs: ["", ""] }, "stubs", "found an array"],
  [
    "a map",
    { stubs: new Map() },
    "stubs",
    "expected an object with the stubs by name, found an object of Map",
  ],
  ["a stub too few", { stubs: { f: "" } }, "stubs.g", "expected PTX text, found undefined"],
  ["an inherited stub", { stubs: Object.create({ f: "", g: "" }) }, "stubs.f", "found undefined"],
  ["a stub that is not a string", { stubs: { f: 1, g: "" } }, "stubs.f", "expected PTX text, found 1"],
  ["a stub too many", { stubs: { f: "", g: "", h: "" } }, "stubs.h", "expected the name of an injection"],
  [
    "a hole of no injection",
    { template: { ...FILLED.template, holes: [2] } },
    "template.holes[0]",
    "from 0 to 1",
  ],
  [
    "a segment too few",
    { template: { ...FILLED.template, segments: ["a\n"] } },
    "template.segments.length",
    "2, found 1",
  ],
  ["a name twice", { template: { ...FILLED.template, names: ["f", "f"] } }, "template.names[1]", "found `f`"],
  [
    "lines of other text",
    { template: { ...FILLED.template, segments: ["", ""] } },
    "template.lines[0]",
    "of its segment",
  ],
])("refuses a bad shape and names its place: %s", (_, change, place, message) => {
  const value = typeof change === "string" ? change : { ...FILLED, ...change };
  for (const use of [checkFilledKernel, (filled: unknown) => locateLine(filled as FilledKernel, 1)]) {
    let thrown: unknown;
    try {
      use(value);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(FilledKernelError);
    expect(thrown).toMatchObject({ code: "INVALID_ARGUMENT", place });
    expect((thrown as Error).message).toContain(message);
  }
});

test("locates every line of every template as a walk over its characters does", () => {
  const text = fc.array(fc.constantFrom("x", "\n", "\r\n"), { maxLength: 5 }).map((parts) => parts.join(""));
  const parts = fc.array(fc.tuple(text, fc.nat(1)), { maxLength: 6 });
  fc.assert(
    fc.property(parts, text, fc.tuple(text, text), (pairs, last, stubs) => {
      const holes = pairs.map(([, hole]) => hole);
      const template = templateOf([...pairs.map(([segment]) => segment), last], holes);
      const map = filledKernel(template, { f: stubs[0], g: stubs[1] });

      // The expected location of each line: the kernel first, then the first stub on it.
      const expected: string[] = [];
      const sites = [0, 0];
      let line = 1;
      template.segments.forEach((segment, i) => {
        let own = template.lines[i]!.kernelLine;
        expected[line] ??= `kernel line ${own}`;
        for (const character of segment) {
          if (character === "\n") expected[++line] = `kernel line ${++own}`;
        }
        const hole = holes[i];
        if (hole === undefined) return;
        const site = ++sites[hole]!;
        let stubLine = 1;
        const say = () => `injection \`${template.names[hole]}\`, site ${site}, stub line ${stubLine}`;
        if (!expected[line]!.startsWith("injection")) expected[line] = say();
        for (const character of stubs[hole]!) {
          if (character !== "\n") continue;
          stubLine++;
          expected[++line] = say();
        }
      });
      for (let at = 1; at <= line; at++) expect(describeLine(locateLine(map, at)!)).toBe(expected[at]);
      expect(locateLine(map, line + 1)).toBeUndefined();
    }),
    { numRuns: cases(2_000) },
  );
});
