// Which of many points have the nearest neighbours: the crowding distance of NSGA-II (Deb et al., 2002).

/**
 * The indices of points that have to be removed until `capacity` are left, in descending order. One after the other, the point with the
 * least crowding distance is removed: the sum over all coordinates of the distance between its neighbours, in parts of the range. Of equal
 * ones, the newest is removed. The first and the last point in each coordinate stay as long as there are others.
 *
 * @param keys the coordinates: `width` for each point
 * @param serial what is greater for newer points
 */
export function crowded(
  keys: Float64Array,
  width: number,
  serial: Float64Array,
  count: number,
  capacity: number,
): number[] {
  const lists = Array.from({ length: width }, (_, axis) => linked(keys, width, axis, serial, count));
  const distance = (point: number): number => {
    let sum = 0;
    for (const [axis, { before, after, range }] of lists.entries()) {
      const [left, right] = [before[point]!, after[point]!];
      if (left < 0 || right < 0) return Number.POSITIVE_INFINITY;
      if (range > 0) sum += (keys[right * width + axis]! - keys[left * width + axis]!) / range;
    }
    return sum;
  };
  const distances = Float64Array.from({ length: count }, (_, point) => distance(point));
  const isRemoved = new Uint8Array(count);
  const removed: number[] = [];
  while (count - removed.length > capacity) {
    let worst = -1;
    for (let point = 0; point < count; point++) {
      if (isRemoved[point] === 1) continue;
      const [each, least] = [distances[point]!, worst < 0 ? Number.POSITIVE_INFINITY : distances[worst]!];
      if (worst < 0 || each < least || (each === least && serial[point]! > serial[worst]!)) worst = point;
    }
    isRemoved[worst] = 1;
    removed.push(worst);
    const neighbours = new Set<number>();
    for (const { before, after } of lists) {
      const [left, right] = [before[worst]!, after[worst]!];
      if (left >= 0) after[left] = right;
      if (right >= 0) before[right] = left;
      for (const point of [left, right]) if (point >= 0) neighbours.add(point);
    }
    for (const point of neighbours) distances[point] = distance(point);
  }
  return removed.sort((a, b) => b - a);
}

/** The points in the order of one coordinate, as a list that points can be taken from; -1 is no point. */
function linked(keys: Float64Array, width: number, axis: number, serial: Float64Array, count: number) {
  const at = (point: number) => keys[point * width + axis]!;
  const order = Array.from({ length: count }, (_, point) => point).sort(
    (a, b) => at(a) - at(b) || serial[a]! - serial[b]!,
  );
  const before = new Int32Array(count).fill(-1);
  const after = new Int32Array(count).fill(-1);
  for (let place = 1; place < count; place++) {
    before[order[place]!] = order[place - 1]!;
    after[order[place - 1]!] = order[place]!;
  }
  return { before, after, range: at(order[count - 1]!) - at(order[0]!) };
}
