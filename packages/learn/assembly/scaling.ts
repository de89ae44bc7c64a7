// Scales rows by the statistics of their columns; `scaleRows` of src/model/scaling.ts is the same in TypeScript.

const LIMIT: f64 = 5;

/** Scales consecutive rows in place, two columns at a time. Statistics are a mean and a deviation of each column. */
export function scale(rows: usize, count: usize, columns: usize, statistics: usize): void {
  const most = f64x2.splat(LIMIT);
  const least = f64x2.splat(-LIMIT);
  const zero = f64x2.splat(0);
  const end = rows + ((count * columns) << 2);
  for (let at = rows; at < end; ) {
    const rowEnd = at + (columns << 2);
    for (let from = statistics; at < rowEnd; from += 32) {
      const first = v128.load(from);
      const second = v128.load(from, 16);
      const deviations = v128.shuffle<f64>(first, second, 1, 3);
      const values = f64x2.promote_low_f32x4(v128.load64_zero(at));
      const scaled = f64x2.div(f64x2.sub(values, v128.shuffle<f64>(first, second, 0, 2)), deviations);
      const limited = f64x2.pmax(f64x2.pmin(scaled, most), least);
      const results = f32x4.demote_f64x2_zero(v128.and(limited, f64x2.ne(deviations, zero)));
      // The second value of the last pair may belong to the next row.
      v128.store32_lane(at, results, 0);
      at += 4;
      if (at == rowEnd) break;
      v128.store32_lane(at, results, 1);
      at += 4;
    }
  }
}
