// Numbers in readable form. They are the same everywhere: neither locale nor time has an influence.

/** `12,345`. */
export function grouped(value: number): string {
  return `${Math.round(value)}`.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Three significant digits, more before the point: `0.413`, `4.13`, `41.3`, `413`, `4,130`. */
export function significant(value: number): string {
  if (value === 0) return "0";
  if (Math.abs(value) >= 99.95) return grouped(value);
  return value.toFixed(Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))))));
}

/** `4.13 µs`, `2.05 ms` or `1.5 s` for microseconds. */
export function time(microseconds: number): string {
  if (microseconds >= 999_500) return `${significant(microseconds / 1e6)} s`;
  if (microseconds >= 999.5) return `${significant(microseconds / 1000)} ms`;
  return `${significant(microseconds)} µs`;
}

/** A share from 0 to 1 in per cent; a small one remains visible: `0.2 %`, `<0.1 %`. */
export function percent(share: number): string {
  if (share > 0 && share < 0.0005) return "<0.1 %";
  if (share > 0.9995 && share < 1) return ">99.9 %";
  return `${(share * 100).toFixed(1)} %`;
}

/** `1 program`, `2 programs`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}
