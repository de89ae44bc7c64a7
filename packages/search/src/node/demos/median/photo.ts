// A picture made of circles, stripes and gradients, and what noise and filters make of it.
import { encode } from "fast-png";
import { Draws } from "../../../draws.js";

/** Pixels from 0 to 255, row by row. */
export interface Photo {
  readonly width: number;
  readonly height: number;
  readonly pixels: Float32Array;
}

/** How many neighbours a filter reads, the pixel itself included. */
export const NEIGHBOURS = 9;

const SIZE = 192;
/** How many pixels of a hundred become black or white. */
const NOISE = 12;
/** The number of the draws' batch, which no search has. */
const NOISE_BATCH = 0xffffffff;

const CIRCLES = [
  { x: 140, y: 48, radius: 26, level: 235 },
  { x: 52, y: 120, radius: 38, level: 60 },
  { x: 60, y: 112, radius: 18, level: 190 },
] as const;

/** The picture without noise. */
export function cleanPhoto(): Photo {
  const pixels = new Float32Array(SIZE * SIZE);
  for (let y = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++) pixels[y * SIZE + x] = levelAt(x, y);
  }
  return { width: SIZE, height: SIZE, pixels };
}

function levelAt(x: number, y: number): number {
  for (const circle of CIRCLES.toReversed()) {
    const [dx, dy] = [x - circle.x, y - circle.y];
    if (dx * dx + dy * dy < circle.radius * circle.radius) return circle.level;
  }
  // Stripes of growing width at the bottom, a gradient above.
  if (y > 150) return (Math.floor((x * x) / 900) & 1) === 0 ? 40 : 210;
  const ridge = 96 + (((x * 7) % 64) - 32) / 4 + Math.abs(x - 100) / 3;
  return y > ridge ? 90 + (x - y) / 8 : 150 + y / 2;
}

/** The picture with black and white pixels at random places. */
export function noisyPhoto({ width, height, pixels }: Photo, seed: number): Photo {
  const draws = new Draws();
  draws.start(seed, NOISE_BATCH, 0);
  const noisy = pixels.map((level) => (draws.below(100) < NOISE ? 255 * draws.below(2) : level));
  return { width, height, pixels: noisy };
}

/** For each pixel, the nine pixels around it as one column each; those beyond the edge are the nearest ones. */
export function neighbourhoods({ width, height, pixels }: Photo): Float32Array[] {
  return Array.from({ length: NEIGHBOURS }, (_, neighbour) => {
    const [dx, dy] = [(neighbour % 3) - 1, Math.floor(neighbour / 3) - 1];
    return Float32Array.from(pixels, (_, index) => {
      const x = Math.min(width - 1, Math.max(0, (index % width) + dx));
      const y = Math.min(height - 1, Math.max(0, Math.floor(index / width) + dy));
      return pixels[y * width + x]!;
    });
  });
}

/** The median of each row of columns. */
export function medians(columns: readonly Float32Array[]): Float32Array {
  const row = new Float32Array(columns.length);
  return columns[0]!.map((_, index) => {
    for (const [place, column] of columns.entries()) row[place] = column[index]!;
    return row.sort()[row.length >> 1]!;
  });
}

/** The ratio of the range of pixels to the root mean square of their errors, in decibels. */
export function decibels(pixels: ArrayLike<number>, wanted: ArrayLike<number>): number {
  let squares = 0;
  for (let index = 0; index < wanted.length; index++) squares += (pixels[index]! - wanted[index]!) ** 2;
  return 10 * Math.log10((255 * 255 * wanted.length) / squares);
}

/** Pictures of the same size side by side, as PNG. */
export function sideBySide(photos: readonly Photo[]): Uint8Array {
  const gap = 8;
  const { width, height } = photos[0]!;
  const whole = photos.length * (width + gap) - gap;
  const data = new Uint8Array(whole * height).fill(255);
  for (const [place, { pixels }] of photos.entries()) {
    for (let index = 0; index < pixels.length; index++) {
      const x = place * (width + gap) + (index % width);
      data[Math.floor(index / width) * whole + x] = Math.max(0, Math.min(255, Math.round(pixels[index]!)));
    }
  }
  return encode({ width: whole, height, data, channels: 1, depth: 8 });
}
