// Scales rows by the statistics of their columns; `scaleRows` of src/model/scaling.ts is the same in TypeScript.

const LIMIT: f64 = 5;

/** Scales consecutive rows in place, two columns at a time. Statistics are a mean and a deviation of each column. */
export function scale(rows: usize, count: usize, columns: usize, statistics: usize): void {
  const most = f64x2.splat(LIMIT);
  const least = f64x2.splat(-LIMIT);
  const zero = f64x2.splat(0);
  const bytes = columns << 2;
  for (let at = rows, end = rows + count * bytes; at < end; ) {
    const rowEnd = at + bytes;
    let from = statistics;
    for (; at + 4 < rowEnd; at += 8) {
      const first = v128.load(from);
      const second = v128.load(from, 16);
      const deviations = v128.shuffle<f64>(first, second, 1, 3);
      const values = f64x2.promote_low_f32x4(v128.load64_zero(at));
      const scaled = f64x2.div(f64x2.sub(values, v128.shuffle<f64>(first, second, 0, 2)), deviations);
      const limited = f64x2.pmax(f64x2.pmin(scaled, most), least);
      v128.store64_lane(at, f32x4.demote_f64x2_zero(v128.and(limited, f64x2.ne(deviations, zero))), 0);
      from += 32;
    }
    if (at == rowEnd) continue;
    const deviation = load<f64>(from, 8);
    const scaled = (<f64>load<f32>(at) - load<f64>(from)) / deviation;
    store<f32>(at, deviation == 0 ? 0 : <f32>max(-LIMIT, min(LIMIT, scaled)));
    at = rowEnd;
  }
}
