// Numbers that models take: finite ones.

const LARGEST = 3.4028234663852886e38;

/** A finite f32 for any number: infinities become the largest ones, and a NaN 0. */
export const limited = (value: number): number =>
  Number.isNaN(value) ? 0 : Math.max(-LARGEST, Math.min(LARGEST, value));
