// Pictures as PNG files, by an optional package.
import { isNumber, isText } from "@mm-ptx/types/internal";
import { SearchError } from "../error.js";
import { invalid, readOptions } from "../options.js";

/** Options of `svgToPng`. */
export interface SvgToPngOptions {
  /** The pixels of the image for each one of the picture, from 0.1 to 8; default 2. */
  readonly scale?: number;
  /** The font of systems that have none of those that pictures name; default `DejaVu Sans`. */
  readonly font?: string;
}

/**
 * Draws an SVG picture as a PNG file. Pictures with the theme `auto` become light; draw them with `dark` for dark pages. Letters depend on
 * the fonts of the system; everything else is the same everywhere.
 *
 * @throws SearchError MISSING_PACKAGE without the package `@resvg/resvg-js`, INVALID_ARGUMENT if `svg` is no SVG
 */
export async function svgToPng(svg: string, options: SvgToPngOptions = {}): Promise<Uint8Array> {
  const { scale = 2, font = "DejaVu Sans" } = readOptions<SvgToPngOptions>(
    options,
    { scale: isNumber(0.1, 8), font: isText },
    { of: "`svgToPng`" },
  );
  if (typeof svg !== "string") throw invalid("an SVG picture as a string", svg);
  const { Resvg } = await loadResvg();
  const text = { loadSystemFonts: true, defaultFontFamily: font };
  try {
    return new Resvg(svg, { font: text, fitTo: { mode: "zoom", value: scale } }).render().asPng();
  } catch (cause) {
    throw new SearchError("INVALID_ARGUMENT", `expected an SVG picture: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/** What is used of the package. */
interface Resvg {
  readonly Resvg: new (
    svg: string,
    options: {
      readonly font: { readonly loadSystemFonts: boolean; readonly defaultFontFamily: string };
      readonly fitTo: { readonly mode: "zoom"; readonly value: number };
    },
  ) => { render(): { asPng(): Uint8Array } };
}

/** Without its types, so that those of this package do not need it. */
const RESVG: string = "@resvg/resvg-js";

async function loadResvg(): Promise<Resvg> {
  try {
    return (await import(RESVG)) as Resvg;
  } catch (cause) {
    const words = `pictures as PNG need the package \`${RESVG}\`: npm install ${RESVG}`;
    throw new SearchError("MISSING_PACKAGE", words, { cause });
  }
}
