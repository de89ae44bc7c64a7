// Reports and PNG files.
import { decode } from "fast-png";
import { describe, expect, it } from "vitest";
import {
  archiveHeatmap,
  archivePng,
  eliteTable,
  historyCurves,
  paretoFront,
  type ReportContent,
  reportHtml,
} from "../../src/pictures/index.js";
import { PALETTE } from "../../src/pictures/maps/colors.js";
import { activations, history, INSTRUCTIONS, MUFU, real, rowsOf, scattered, UNIT } from "./support/made.js";
import { expectWellFormed } from "./support/svg.js";

const AXES = [INSTRUCTIONS, MUFU];
const ERROR = { negated: true, scale: "log" } as const;

describe("a report", () => {
  const picture = archiveHeatmap(rowsOf(activations()), AXES);
  const content: ReportContent = {
    ...{ title: "<GELU> & others", note: "seed 1", refresh: 5 },
    sections: [
      { title: "Map", text: "One.\n\nTwo < three.", pictures: [picture] },
      {
        table: {
          columns: ["name", "error"],
          rows: [
            ["a < b", "1e-4"],
            ["c", 1234],
          ],
          note: "All.",
          marked: [1],
        },
      },
      { code: "add.f32 a, b, c; // < &\n" },
    ],
  };

  it("is one well-formed file that refers to no other", () => {
    const html = reportHtml(content);
    expect(html.startsWith("<!DOCTYPE html>\n")).toBe(true);
    expectWellFormed(html.slice(html.indexOf("\n") + 1).trim());
    expect(html.replaceAll('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(
      /https?:|src=|href=|url\(|<script/,
    );
    expect(html).toContain(picture.trimEnd());
    expect(html).toContain("<title>&lt;GELU&gt; &amp; others</title>");
    expect(html).toContain("<p>One.</p>\n<p>Two &lt; three.</p>");
    expect(html).toContain('<td>a &lt; b</td><td class="n">1e-4</td>');
    expect(html).toContain('<td>c</td><td class="n">1,234</td>');
    expect(html).toContain('<tr class="m"><td>c</td>');
    expect(html).toContain('<meta http-equiv="refresh" content="5"/>');
    expect(html).toContain("@media (prefers-color-scheme: dark){:root{--page:#16181d");
  });

  it("is for one kind of pages on demand", () => {
    const dark = reportHtml({ title: "a", sections: [], theme: "dark" });
    expect(dark).toContain(":root{--page:#16181d");
    expect(dark).not.toMatch(/@media|refresh/);
    expect(reportHtml({ title: "a", sections: [], theme: "light" })).toContain(":root{--page:#fbfbf9");
  });

  it("leaves out rows beyond 1,000, and of elites those beyond the best", () => {
    const rows = Array.from({ length: 1500 }, (_, i) => [i]);
    expect(reportHtml({ title: "a", sections: [{ table: { columns: ["n"], rows } }] })).toContain(
      "500 more rows are left out.",
    );
    const table = eliteTable(rowsOf(activations()), {
      value: ERROR,
      measures: ["n", "m"],
      textOf: (elite) => `x${elite}`,
      most: 3,
    });
    expect(table.columns).toEqual(["error", "n", "m", "PTX bound", "candidate", "elite"]);
    expect(table.rows).toHaveLength(3);
    expect(table.note).toMatch(/^The best 3 of \d+ elites\.$/);
    const errors = table.rows.map(([error]) => Number(error));
    expect(errors).toEqual(errors.toSorted((a, b) => a - b));
    expect(errors[0]).toBeCloseTo(Math.min(...activations().map(({ objective }) => -objective)), 6);
    expect(eliteTable(rowsOf([]))).toEqual({ columns: ["objective", "candidate"], rows: [] });
  });

  it("of 10,000 elites has less than a megabyte", () => {
    const rows = rowsOf(scattered([100, 100], 1));
    const axes = [real("a", 100), real("b", 100)];
    const texts = Array.from({ length: rows.count }, (_, i) => `x * ${i} + tanh(x)`);
    const sections = [
      { title: "Archive", pictures: [archiveHeatmap(rows, axes, { texts }), historyCurves(history(4000))] },
      {
        title: "Front",
        pictures: [paretoFront(rows, { texts })],
        table: eliteTable(rows, { textOf: (elite) => texts[elite]! }),
      },
    ];
    expect(reportHtml({ title: "a", sections }).length).toBeLessThan(1e6);
  });

  it("refuses wrong arguments", () => {
    const wrong = (sections: unknown) => () => reportHtml({ title: "a", sections } as ReportContent);
    expect(wrong([{ pictures: ["<b>"] }])).toThrow(
      "option `sections[0].pictures[0]`: expected an SVG picture, found `<b>`",
    );
    expect(wrong([{ table: { columns: ["a"], rows: [[true]] } }])).toThrow(
      "expected strings and numbers, found true",
    );
    expect(wrong([{ titel: "a" }])).toThrow("unknown option `titel`");
    expect(wrong(undefined)).toThrow("option `sections`: expected a list");
  });
});

describe("an archive as PNG", () => {
  const pixelOf = (file: Uint8Array, x: number, y: number): string => {
    const { width, data, palette } = decode(file);
    const color = palette![data[y * width + x]!]!;
    return `#${color
      .slice(0, 3)
      .map((part) => part.toString(16).padStart(2, "0"))
      .join("")}`;
  };

  it("has a square for each cell, the second axis upwards", () => {
    const rows = rowsOf([
      { cell: 0, objective: 0, measures: [1, 0] },
      { cell: 9, objective: 1, measures: [2, 4] },
    ]);
    const file = archivePng(rows, AXES, { pixels: 3 });
    const { width, height } = decode(file);
    expect([width, height]).toEqual([30, 15]);
    expect([pixelOf(file, 0, 14), pixelOf(file, 2, 12), pixelOf(file, 3, 0), pixelOf(file, 29, 14)]).toEqual([
      PALETTE[0],
      PALETTE[0],
      PALETTE.at(-1),
      "#efeee8",
    ]);
    expect(pixelOf(archivePng(rows, AXES, { pixels: 1, theme: "dark" }), 9, 0)).toBe("#2d313b");
  });

  it("has panels for further axes", () => {
    const axes = [real("a", 3), real("b", 2), UNIT, { ...MUFU, to: 1 }];
    const file = archivePng(rowsOf(scattered([3, 2, 3, 2], 1)), axes, { pixels: 2 });
    const { width, height } = decode(file);
    expect([width, height]).toEqual([3 * 8 - 2, 2 * 6 - 2]);
    expect([pixelOf(file, 6, 0), pixelOf(file, 0, 4)]).toEqual(["#ffffff", "#ffffff"]);
  });

  it("has about 512 pixels, and the same bytes for the same elites", () => {
    const rows = rowsOf(activations());
    expect(decode(archivePng(rows, AXES)).width).toBe(460);
    expect(decode(archivePng(rowsOf([]), [real("a", 1000), real("b", 2000)])).height).toBe(2000);
    expect(archivePng(rows, AXES, { value: ERROR })).toEqual(archivePng(rows, AXES, { value: ERROR }));
    expect(() => archivePng(rowsOf([]), [real("a", 20_000)])).toThrow(
      "expected an image of at most 16384 pixels along each side, found `20000 x 1`",
    );
  });
});
