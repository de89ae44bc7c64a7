// Numbers in readable form, and the ticks of axes. Neither locale nor time has an influence.

/** `12,345`. */
export const grouped = (value: number): string => `${Math.round(value)}`.replace(/\B(?=(\d{3})+$)/g, ",");

/** Three significant digits, more before the point: `0.413`, `41.3`, `4,130`, `5e-9`, `3.1e21`. */
export function significant(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e9))
    return value
      .toExponential(2)
      .replace(/\.?0+e/, "e")
      .replace("e+", "e");
  return size >= 99.95 ? grouped(value) : `${Number(value.toPrecision(3))}`;
}

/** `12,345`, and `123 M` where that has no room. */
export const headline = (value: number): string =>
  value >= 99_500_000 ? `${significant(value / 1e6)} M` : significant(value);

/** `4.13 µs`, `2.05 ms`, `1.5 s`, `12.3 min` or `4.2 h` for milliseconds. */
export function time(milliseconds: number): string {
  if (milliseconds >= 7_197_000) return `${significant(milliseconds / 3_600_000)} h`;
  if (milliseconds >= 119_950) return `${significant(milliseconds / 60_000)} min`;
  if (milliseconds >= 999.5) return `${significant(milliseconds / 1000)} s`;
  if (milliseconds >= 0.9995 || milliseconds === 0) return `${significant(milliseconds)} ms`;
  return `${significant(milliseconds * 1000)} µs`;
}

/** A share from 0 to 1 in per cent; a small one remains visible: `0.2 %`, `<0.1 %`. */
export function percent(share: number): string {
  if (share > 0 && share < 0.0005) return "<0.1 %";
  return `${(share * 100).toFixed(1)} %`;
}

/** `1 program`, `2 programs`. */
export const counted = (count: number, noun: string): string =>
  `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;

/** The smallest of 1, 2 and 5 times a power of ten that is not below a number. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= least * (1 - 1e-9))!;
}

/** Round numbers from 0 to the first that is not below `most`, at most `count` steps. */
export function ticksTo(most: number, count: number): readonly number[] {
  const step = roundStep(most / count);
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, i) =>
    Number((i * step).toPrecision(12)),
  );
}
