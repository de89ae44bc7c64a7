// Numbers in readable form and the widths of texts. Neither locale nor time has an influence.

/** `12,345`. */
export const grouped = (value: number): string => `${Math.round(value)}`.replace(/\B(?=(\d{3})+$)/g, ",");

/** The numbers from which on zeros behind the point are written out. */
const LEAST_PLAIN = { linear: 1e-3, log: 1e-2 };

/**
 * `digits` significant digits, more before the point: `0.413`, `41.3`, `4,130`, `5e-9`, `3.1e21`. On logarithmic scales, exponents begin
 * earlier: `2e-3`.
 */
export function significant(value: number, digits = 3, scale: "linear" | "log" = "linear"): string {
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "not a number" : value < 0 ? "-∞" : "∞";
  if (size < LEAST_PLAIN[scale] || size >= 1e7)
    return value
      .toExponential(digits - 1)
      .replace(/\.?0+e/, "e")
      .replace("e+", "e");
  return size >= 999.5 ? grouped(value) : `${Number(value.toPrecision(digits))}`;
}

/**
 * A label of an axis whose numbers are not above `largest`: `0.25`, `500`, `20 k`, `1.5 M`, `1e-6`.
 */
export function tick(value: number, scale: "linear" | "log" = "linear", largest = Math.abs(value)): string {
  const size = Math.abs(value);
  if (size >= 1e15 || (size > 0 && size < (scale === "log" ? LEAST_PLAIN.log : 1e-6)))
    return Number(value.toPrecision(9)).toExponential().replace("e+", "e");
  // `5000` on an axis up to 8000, and `5 k` on one up to 10 k.
  for (const [unit, name] of UNITS)
    if (size >= unit && largest >= 1e4) return `${Number((value / unit).toPrecision(6))} ${name}`;
  return `${Number(value.toPrecision(9))}`;
}

const UNITS = [
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
] as const;

/** A share from 0 to 1 in per cent; a small one remains visible: `0.2 %`, `<0.1 %`. */
export function percent(share: number): string {
  if (share > 0 && share < 0.0005) return "<0.1 %";
  return `${(share * 100).toFixed(1)} %`;
}

/** `1 program`, `2 programs`. */
export const counted = (count: number, noun: string): string =>
  `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;

/** The title of an axis, which says that its scale is logarithmic. */
export const onScale = (title: string, scale: "linear" | "log"): string =>
  scale === "log" ? `${title}, log scale` : title;

/** A name with its unit: `time (s)`. */
export const named = (name: string, unit: string | undefined): string =>
  unit === undefined || unit === "" ? name : `${name} (${unit})`;

export const capitalized = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);

/** `a`, `a and b`, `a, b and c`. */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

const NARROW = /[ijltfrI.,:;'|!()[\]{}/ ]/;
const WIDE = /[mwMW@%—∞+=<>−]/;

/** About how wide a text is, in pixels, in the widest of the usual fonts. */
export function widthOf(words: string, size: number): number {
  let width = 0;
  for (const letter of words) {
    if (letter > "\u2e7f") width += 1.05;
    else if (NARROW.test(letter)) width += 0.41;
    else if (WIDE.test(letter)) width += 0.97;
    else width += letter >= "A" && letter <= "Z" ? 0.7 : 0.63;
  }
  return width * size;
}
