// `reportSvg`: what its parts show, for which themes, and that no text leaves the picture or meets another one.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { type PipelinePlan, type PipelineStats, type ReportContent, reportSvg } from "../../src/index.js";
import { histogramOf } from "../../src/report/bins.js";
import { significant, time } from "../../src/report/figures.js";

const STATS: PipelineStats = {
  ...{ taken: 120, done: 100, failed: 20, duplicates: 7, stored: 3, packs: 9, splits: 2 },
  ...{ screened: 0, explored: 0, misjudged: 0 },
  milliseconds: {
    ...{ signatures: 5, stubs: 12, packing: 60, compile: 4210 },
    ...{ load: 220, launch: 640, read: 21, timing: 0, results: 0 },
  },
};
const cost = (size: number, compileMs: number, runMs: number) =>
  ({ kind: "alternatives", size, packs: 2, compileMs, runMs }) as const;
const PLAN: PipelinePlan = {
  ...{ kind: "alternatives", size: 128, settled: true, axis: "z" },
  curve: [cost(64, 0.3, 0.1), cost(128, 0.15, 0.05), cost(256, 0.16, 0.06)],
};
const CONTENT: ReportContent = { plan: PLAN, stats: STATS };

interface Text {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly anchor: string;
  readonly words: string;
}

function textsOf(svg: string): Text[] {
  return [...svg.matchAll(/<text ([^>]*)>([^<]*)</g)].map(([, tag, words]) => {
    const attribute = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(tag!)?.[1];
    return {
      ...{ x: Number(attribute("\\bx")), y: Number(attribute("\\by")), size: Number(attribute("font-size")) },
      ...{ anchor: attribute("text-anchor") ?? "start", words: words!.replace(/&\w+;/g, "&") },
    };
  });
}

/** The left and the right end of a text, if its characters are as wide as most are. */
function endsOf({ x, size, anchor, words }: Text): readonly [number, number] {
  const width = words.length * size * 0.55;
  const left = anchor === "end" ? x - width : anchor === "middle" ? x - width / 2 : x;
  return [left, left + width];
}

function expectReadable(svg: string): void {
  const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(svg)!.map(Number);
  const texts = textsOf(svg);
  for (const [i, text] of texts.entries()) {
    const [left, right] = endsOf(text);
    expect([left >= 0, right <= width!, text.y > 0, text.y < height!], text.words).toEqual([
      true,
      true,
      true,
      true,
    ]);
    for (const other of texts.slice(i + 1)) {
      const [from, to] = endsOf(other);
      const meets = Math.abs(other.y - text.y) < 9 && from < right && left < to;
      expect(meets, `${text.words} meets ${other.words}`).toBe(false);
    }
  }
}

describe("a report", () => {
  it("shows stages, pack sizes and costs", () => {
    const svg = reportSvg({ ...CONTENT, costs: { name: "registers", values: [8, 8, 10, 12] }, seconds: 2 });
    expectReadable(svg);
    const words = textsOf(svg).map((text) => text.words);
    const stages = [
      "signatures",
      "stubs",
      "packing",
      "compile",
      "load",
      "launch",
      "read",
      "timing",
      "results",
    ];
    expect(words).toEqual(expect.arrayContaining(["120 programs", "60", "programs a second", ...stages]));
    expect(words).toEqual(expect.arrayContaining(["4.21 s, 81.5 %", "640 ms, 12.4 %", "0 ms, 0.0 %"]));
    expect(words).toEqual(expect.arrayContaining(["64", "128", "256", "5,000", "6,000"]));
    expect(words).toContain("4 programs: 8 to 12, median 8");
    const titles = [...svg.matchAll(/<title>([^<]*)</g)].map(([, title]) => title);
    expect(titles).toContain("5,000 programs a second in packs of 128");
    expect(titles.slice(-3)).toEqual(["8: 2 programs", "10: 1 program", "12: 1 program"]);
  });

  it("is for light and dark pages, or for one kind", () => {
    const auto = reportSvg(CONTENT);
    expect(auto).toContain("@media (prefers-color-scheme: dark){.f-page{fill:#16181d}");
    expect(auto).toContain('fill="#fbfbf9" class="f-page"');
    const [light, dark] = [reportSvg(CONTENT, { theme: "light" }), reportSvg(CONTENT, { theme: "dark" })];
    expect(light).toContain('fill="#fbfbf9"');
    expect(dark).toContain('fill="#16181d"');
    for (const svg of [light, dark]) expect(svg).not.toMatch(/<style|class=/);
  });

  it("has a title of the caller's, without markup", () => {
    const svg = reportSvg({ ...CONTENT, title: `<b a="1">&\0` });
    expect(svg).toContain("&lt;b a=&quot;1&quot;&gt;&amp;\ufffd</text>");
    expectReadable(reportSvg({ ...CONTENT, title: "long ".repeat(100) }));
  });

  it("says that there is nothing to show", () => {
    const milliseconds = Object.fromEntries(Object.keys(STATS.milliseconds).map((stage) => [stage, 0]));
    const stats = { ...STATS, milliseconds } as PipelineStats;
    const svg = reportSvg({
      plan: { ...PLAN, curve: [] },
      stats,
      costs: { name: "score", values: [Number.NaN] },
    });
    const words = textsOf(svg).map((text) => text.words);
    expect(words).toEqual(
      expect.arrayContaining(["nothing was run", "no whole pack was run", "no value is finite"]),
    );
  });

  it("is readable whatever the numbers are", () => {
    const size = fc.double({ min: 1e-6, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 65_535 }), size, size), { maxLength: 10 }),
        fc.array(fc.oneof(fc.double(), fc.integer(), fc.double({ min: 0, max: 1 })), { maxLength: 60 }),
        fc.tuple(fc.maxSafeNat(), fc.maxSafeNat(), size),
        (curve, values, [done, failed, seconds]) => {
          const plan = {
            ...PLAN,
            curve: curve.map(([packs, compileMs, runMs]) => cost(packs, compileMs, runMs)),
          };
          const stats = { ...STATS, done, failed, milliseconds: { ...STATS.milliseconds, compile: seconds } };
          const svg = reportSvg({ plan, stats, seconds, costs: { name: "score", values } });
          expect(svg).not.toMatch(/NaN|Infinity|undefined/);
          expectReadable(svg);
        },
      ),
      { numRuns: cases(300) },
    );
  });
});

it("bins have every finite value once", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true })), fc.integer({ min: 4, max: 40 }), (values, most) => {
      const histogram = histogramOf(values, most);
      const finite = values.filter(Number.isFinite);
      if (finite.length === 0) {
        expect(histogram).toBeUndefined();
        return;
      }
      const { bins, zeros, notFinite } = histogram!;
      expect(bins.length).toBeLessThanOrEqual(most);
      expect(bins.reduce((sum, { count }) => sum + count, zeros + notFinite)).toBe(values.length);
      for (const [i, { from, count }] of bins.entries())
        if (i > 0 && i < bins.length - 1) {
          const { to } = bins[i]!;
          expect(finite.filter((value) => value >= from && value < to)).toHaveLength(count);
        }
    }),
    { numRuns: cases(1000) },
  );
});

it("numbers are short", () => {
  expect([0, 0.413, 41.3, 99.96, 4130, -1234.6, 5e-9, 3.1e21].map(significant)).toEqual([
    ...["0", "0.413", "41.3", "100", "4,130", "-1,235", "5e-9", "3.1e21"],
  ]);
  expect([0, 0.0041, 2.05, 1500, 740_000, 1.5e7].map(time)).toEqual([
    ...["0 ms", "4.1 µs", "2.05 ms", "1.5 s", "12.3 min", "4.17 h"],
  ]);
});

it("content and options are checked", () => {
  const wrong =
    (content: object, options: object = {}) =>
    () =>
      reportSvg({ ...CONTENT, ...content } as ReportContent, options);
  expect(wrong({ stats: undefined })).toThrow("option `stats`: expected an object, found undefined");
  expect(wrong({ plna: PLAN })).toThrow("unknown option `plna` of `reportSvg`, did you mean `plan`?");
  expect(wrong({ plan: { ...PLAN, kind: "none" } })).toThrow("option `plan.kind`: expected `alternatives`");
  expect(wrong({ plan: { ...PLAN, curve: [{ size: 1 }] } })).toThrow("option `plan.curve[0].compileMs`");
  expect(wrong({ plan: { ...PLAN, curve: 1 } })).toThrow("option `plan.curve`: expected a list, found 1");
  expect(wrong({ plan: null })).toThrow("option `plan`: expected an object, found null");
  expect(wrong({ stats: { ...STATS, done: "1" } })).toThrow("expected a number as `stats.done`");
  expect(wrong({ stats: { ...STATS, milliseconds: {} } })).toThrow(
    "`stats.milliseconds.signatures`, found undefined",
  );
  expect(wrong({ costs: { name: "score", values: ["1"] } })).toThrow(
    "option `costs.values`: expected an array of numbers",
  );
  expect(wrong({}, { theme: "darkk" })).toThrow(
    "option `theme`: expected `auto`, `light`, `dark`, found `darkk`, did you mean `dark`?",
  );
});
