// Heat maps: what squares show, which ones share a place, what is printed, and which arguments are wrong.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { gridArchive } from "../../src/index.js";
import {
  archiveHeatmap,
  cvtHeatmap,
  type HeatmapOptions,
  type PictureAxis,
} from "../../src/pictures/index.js";
import { activations, INSTRUCTIONS, MUFU, real, rowsOf, scattered, UNIT } from "./support/made.js";
import { expectPicture, expectReadable, textsOf, titlesOf } from "./support/svg.js";

const AXES = [INSTRUCTIONS, MUFU];
const map = (options: HeatmapOptions = {}): string => archiveHeatmap(rowsOf(activations()), AXES, options);
const fillsOf = (svg: string): string[] =>
  [...svg.matchAll(/<rect [^>]*fill="(#\w+)"[^>]*><title>/g)].map(([, fill]) => fill!);
const wordsOf = (svg: string): string[] => textsOf(svg).map(({ words }) => words);

describe("a heat map", () => {
  it("has a square for each elite, with its place, value and text", () => {
    const elites = activations();
    const svg = map({ texts: elites.map((_, i) => `program ${i}`) });
    expect(fillsOf(svg)).toHaveLength(elites.length);
    const [n, m] = elites[7]!.measures;
    const value = new RegExp(`^instructions ${n}, MUFU ${m}\nobjective: -[\\d.e-]+\nprogram 7$`);
    expect(titlesOf(svg).filter((title) => value.test(title))).toHaveLength(1);
    expect(wordsOf(svg)).toEqual(
      expect.arrayContaining(["1", "10", "instructions", "MUFU", "empty", "objective"]),
    );
  });

  it("is brightest where values are best, whichever those are", () => {
    const rows = rowsOf(
      [1, 2, 3].map((objective, cell) => ({ cell, objective: -objective, measures: [cell] })),
    );
    const axis = { ...MUFU, to: 2 };
    const brightness = (color: string) =>
      Number.parseInt(color.slice(1, 3), 16) + Number.parseInt(color.slice(3, 5), 16);
    const of = (value: HeatmapOptions["value"]) =>
      fillsOf(archiveHeatmap(rows, [axis], { value: value! })).map(brightness);
    const [first, second, third] = of({});
    expect([first! > second!, second! > third!]).toEqual([true, true]);
    expect(of({ negated: true, scale: "log" })[0]).toBe(first);
    expect(of({ better: "less" })).toEqual([third, second, first]);
  });

  it("reads the cells of the grid archive of this package", () => {
    const archive = gridArchive({
      axes: [
        { name: "a", min: 0, max: 1, bins: 4 },
        { name: "b", min: 1, max: 9, width: 3 },
        { name: "c", values: ["x", "y"] },
      ],
    });
    const axes = (archive.description as { axes?: readonly PictureAxis[] }).axes ?? archive.axes;
    const measures = Float64Array.of(0.6, 8, 1);
    const cell = archive.cellOf(measures, 0);
    const svg = archiveHeatmap(
      rowsOf([{ cell, objective: 1, measures: [...measures] }]),
      axes as readonly PictureAxis[],
    );
    expect(titlesOf(svg)).toContain("a 0.5 to 0.75, b 7 to 9, c y\nobjective: 1");
    const elsewhere = archiveHeatmap(
      rowsOf([{ cell: -1, objective: 1, measures: [...measures] }]),
      axes as readonly PictureAxis[],
    );
    expect(elsewhere).toBe(svg);
  });

  it("prints values where there is room in all squares, or in those where there is", () => {
    const printed = (svg: string) =>
      textsOf(svg).filter(({ anchor, words }) => anchor === "middle" && /^-?[\d.]+(e-\d)?$/.test(words));
    const columns = 10;
    expect(printed(map({ value: { negated: true, scale: "log" } }))).toHaveLength(
      activations().length + columns,
    );
    expect(printed(map({ print: false }))).toHaveLength(columns);
    const wide = { ...INSTRUCTIONS, to: 40 };
    const few = rowsOf([
      { cell: 0, objective: 83, measures: [1, 0] },
      { cell: 5, objective: -1.2345e-7, measures: [2, 0] },
    ]);
    expect(wordsOf(archiveHeatmap(few, [wide, MUFU], { print: true }))).toContain("83");
    expect(wordsOf(archiveHeatmap(few, [wide, MUFU]))).not.toContain("83");
  });

  it("shows the best of cells that share a square, and says so", () => {
    const side = 400;
    const elites = [
      { cell: 0, objective: 1, measures: [-1, -1] },
      { cell: 1, objective: 5, measures: [-1, -1] },
      { cell: side, objective: 3, measures: [-1, -1] },
    ];
    const svg = archiveHeatmap(rowsOf(elites), [real("a", side), real("b", side)], { hover: true });
    expect(fillsOf(svg)).toHaveLength(1);
    expect(titlesOf(svg).join()).toContain("objective: 5");
    expect(wordsOf(svg).join()).toMatch(
      /3 of 160,000 cells \(<0.1 %\); best objective 5; a square shows the best of 3 × 3 cells/,
    );
  });

  it("of 10,000 cells is one shape for each colour, unless every cell is to have its text", () => {
    const axes = [real("a", 100), real("b", 100)];
    const rows = rowsOf(scattered([100, 100], 0.8));
    const svg = archiveHeatmap(rows, axes);
    expectPicture(svg);
    expect(svg.length).toBeLessThan(250_000);
    expect(titlesOf(svg).filter((title) => /^objective: /.test(title)).length).toBeGreaterThan(50);
    const all = archiveHeatmap(rows, axes, { hover: true });
    expect(fillsOf(all)).toHaveLength(rows.count);
    expectPicture(all);
  });

  it("lists marks, with letters in their cells", () => {
    const marks = [
      { label: "inside", measures: [5, 1], value: 4.73e-4 },
      { label: "cell", cell: [4, 1] },
      { label: "beyond", measures: [11, 0] },
      { label: "too few", cell: [1] },
    ];
    const words = wordsOf(map({ marks }));
    expect(words).toEqual(
      expect.arrayContaining([
        "inside, 4.73e-4",
        "cell",
        "beyond, beyond the axes",
        "too few, beyond the axes",
      ]),
    );
    const letters = ["A", "B", "C", "D"].map((letter) => words.filter((word) => word === letter).length);
    expect(letters).toEqual([2, 2, 1, 1]);
  });

  it("shows numbers that are not finite, and zeros on logarithmic scales", () => {
    const values = [Number.NaN, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0, -1, 1e-9, 1e300];
    const rows = rowsOf(values.map((objective, cell) => ({ cell, objective, measures: [cell] })));
    for (const scale of ["linear", "log"] as const)
      for (const negated of [true, false])
        for (const hover of [true, false]) {
          const svg = archiveHeatmap(rows, [{ ...MUFU, to: 6 }], { value: { scale, negated }, hover });
          expectPicture(svg);
          expect(svg).toContain('fill="#8d8d8d"');
        }
  });

  it("is well-formed and readable whatever the archive is", () => {
    const words = fc.string({ maxLength: 30, unit: "binary" });
    const name = fc.string({ minLength: 1, maxLength: 14, unit: fc.constantFrom(..."abc<&> xyz") });
    const axis: fc.Arbitrary<PictureAxis> = fc.oneof(
      fc
        .record({
          kind: fc.constant("integer" as const),
          name,
          from: fc.integer({ min: -9, max: 9 }),
          width: fc.integer({ min: 1, max: 3 }),
          count: fc.integer({ min: 1, max: 6 }),
        })
        .map(({ count, ...axis }) => ({ ...axis, to: axis.from + count - 1 })),
      fc
        .record({
          kind: fc.constant("real" as const),
          name,
          from: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
          length: fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
          cells: fc.integer({ min: 1, max: 6 }),
        })
        .map(({ length, ...axis }) => ({ ...axis, to: axis.from + length })),
      fc.record({
        kind: fc.constant("categorical" as const),
        name,
        labels: fc.array(name, { minLength: 1, maxLength: 5 }),
      }),
    );
    fc.assert(
      fc.property(
        fc.array(axis, { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(fc.nat(), fc.oneof(fc.double(), fc.double({ min: 0, max: 1 }))), { maxLength: 40 }),
        fc.constantFrom("linear" as const, "log" as const),
        fc.tuple(words, words),
        fc.boolean(),
        (axes, elites, scale, [title, text], hover) => {
          const cells = axes.reduce(
            (product, each) =>
              product *
              (each.kind === "integer"
                ? Math.ceil((each.to - each.from + 1) / each.width)
                : each.kind === "real"
                  ? each.cells
                  : each.labels.length),
            1,
          );
          const rows = rowsOf(
            elites.map(([cell, objective]) => ({
              cell: cell % cells,
              objective,
              measures: axes.map(() => 0),
            })),
          );
          const svg = archiveHeatmap(rows, axes, {
            value: { scale },
            texts: elites.map(() => text),
            title,
            hover,
          });
          expectPicture(svg);
          expect(
            archiveHeatmap(rows, axes, { value: { scale }, texts: elites.map(() => text), title, hover }),
          ).toBe(svg);
          expectReadable(archiveHeatmap(rows, axes, { value: { scale }, hover }));
        },
      ),
      { numRuns: smoke(200) },
    );
  });

  it("refuses wrong arguments", () => {
    const rows = rowsOf(activations());
    const wrong =
      (axes: unknown, options: unknown = {}, given: unknown = rows) =>
      () =>
        archiveHeatmap(given as typeof rows, axes as PictureAxis[], options as HeatmapOptions);
    expect(wrong([])).toThrow("expected a list of 1 to 4 axes, found `0 axes`");
    expect(wrong([{ kind: "real", name: "a", from: 1, to: 1, cells: 2 }])).toThrow(
      "expected numbers from `from` to `to` in `axes[0]`",
    );
    expect(wrong([{ kind: "real", name: "a", from: 0, to: 1, cells: 0 }])).toThrow(
      "expected a whole number of bins from 1 to 1000000 in `axes[0]`, found 0",
    );
    expect(wrong([{ kind: "line", name: "a" }])).toThrow("as the kind of `axes[0]`, found `line`");
    expect(wrong([{ ...INSTRUCTIONS, width: 0 }])).toThrow("as the width of bins of `axes[0]`, found 0");
    expect(wrong([UNIT, { kind: "categorical", name: "b", labels: [] }])).toThrow(
      "strings as the labels of `axes[1]`",
    );
    expect(wrong(AXES, { titel: "a" })).toThrow(
      "unknown option `titel` of `archiveHeatmap`, did you mean `title`?",
    );
    expect(wrong(AXES, { value: { field: "register" } })).toThrow(
      "expected one of the fields `PTX bound`, found `register`",
    );
    expect(wrong(AXES, { value: { scale: "logarithmic" } })).toThrow(
      "option `value.scale`: expected `linear`, `log`",
    );
    expect(wrong(AXES, { value: { range: [2, 1] } })).toThrow("two numbers, the lesser one first");
    expect(wrong(AXES, { marks: [{ label: "a" }] })).toThrow("either `cell` or `measures`");
    expect(wrong(AXES, { texts: [1] })).toThrow("option `texts[0]`: expected strings, found 1");
    expect(wrong(AXES, {}, { ...rows, objective: new Float64Array(2) })).toThrow(
      "numbers in `rows.objective`, found `2 numbers`",
    );
    expect(wrong(AXES, {}, null)).toThrow("expected the rows of an archive, found null");
  });
});

describe("a map of centroids", () => {
  const axes = [
    { name: "a", from: 0, to: 1 },
    { name: "b", from: 0, to: 1 },
  ] as const;

  it("has a shape for each cell, or for each colour where there are many", () => {
    const count = 5000;
    const coordinates = Float64Array.from({ length: 2 * count }, (_, i) => (i * 0.7548776662466927) % 1);
    const rows = rowsOf(
      Array.from({ length: count }, (_, cell) => ({ cell, objective: cell, measures: [0, 0] })),
    );
    const svg = cvtHeatmap(rows, { coordinates, axes });
    expectPicture(svg);
    expect([...svg.matchAll(/<path /g)].length).toBeLessThan(70);
    const few = { ...rows, count: 300 };
    const all = cvtHeatmap(few, { coordinates: coordinates.subarray(0, 600), axes });
    expectPicture(all);
    expect(
      titlesOf(all).filter((title) => /^cell \d+: a [\d.]+, b [\d.]+\nobjective: \d+$/.test(title)),
    ).toHaveLength(300);
  });

  it("copes with equal centroids, a single one and those on a line", () => {
    const rows = rowsOf([{ cell: 0, objective: 1, measures: [0, 0] }]);
    for (const coordinates of [
      [0.5, 0.5],
      [0.5, 0.5, 0.5, 0.5],
      [0.1, 0.1, 0.5, 0.5, 0.9, 0.9],
      [2, 2, 0.5, 0.5],
    ])
      expectPicture(cvtHeatmap(rows, { coordinates, axes }, { hover: false }));
  });

  it("refuses wrong arguments", () => {
    const rows = rowsOf([{ cell: 3, objective: 1, measures: [0, 0] }]);
    const wrong =
      (coordinates: unknown, given: unknown = axes) =>
      () =>
        cvtHeatmap(rows, { coordinates: coordinates as number[], axes: given as typeof axes });
    expect(wrong([1, 2, 3])).toThrow("expected two coordinates for each centroid, found `3 numbers`");
    expect(wrong([0, Number.NaN])).toThrow(
      "expected a finite number as coordinate 1 of the centroids, found NaN",
    );
    expect(wrong([0, 0])).toThrow("expected cells from 0 to 0 in `rows.cell`, found 3");
    expect(wrong([0, 0], [axes[0]])).toThrow("expected 2 axes");
  });
});
