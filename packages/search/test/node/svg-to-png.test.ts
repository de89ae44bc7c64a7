// Pictures as PNG files, where the optional package is installed.
import { decode } from "fast-png";
import { describe, expect, it } from "vitest";
import { svgToPng } from "../../src/node/svg-to-png.js";
import { archiveHeatmap } from "../../src/pictures/index.js";
import { activations, INSTRUCTIONS, MUFU, rowsOf } from "../pictures/support/made.js";

const name: string = "@resvg/resvg-js";
const isInstalled = await import(name).then(
  () => true,
  () => false,
);

describe.runIf(isInstalled)("a picture as PNG", () => {
  it("has the size and the colours of the picture", async () => {
    const svg = archiveHeatmap(rowsOf(activations()), [INSTRUCTIONS, MUFU], { theme: "dark" });
    const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(svg)!.map(Number);
    const image = decode(await svgToPng(svg, { scale: 0.5 }));
    expect([image.width, image.height]).toEqual(
      [Math.round(width! / 2), Math.round(height! / 2)].map((length) => expect.closeTo(length, 0)),
    );
    const start = (20 * image.width + Math.floor(image.width / 2)) * image.channels;
    expect([...image.data.subarray(start, start + 3)]).toEqual([0x16, 0x18, 0x1d]);
  });

  it("refuses what is no picture", async () => {
    await expect(svgToPng("<b>")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(svgToPng(1 as unknown as string)).rejects.toThrow(
      "expected an SVG picture as a string, found 1",
    );
    await expect(svgToPng("", { scale: 99 })).rejects.toThrow(
      "option `scale`: expected a number from 0.1 to 8, found 99",
    );
  });
});

describe.skipIf(isInstalled)("without the package", () => {
  it("says what to install", async () => {
    await expect(svgToPng("<svg/>")).rejects.toMatchObject({ code: "MISSING_PACKAGE" });
  });
});
