// Operands for approximate instructions: of all magnitudes, near the ends of their ranges, and special ones.

/** A generator of words that only depends on its seed. */
function words(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state ^ (state >>> 15)) >>> 0;
  };
}

const EDGES = [
  ...[0, -0, 1, -1, 0.5, 2, 2 ** -126, 2 ** -149, 2 ** 126, 2 ** 127, 1.5 * 2 ** 127, Number.NaN],
  ...[Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 127.99999, -126, -126.5, -149, 2 * Math.PI],
  ...[100 * Math.PI, 1e5, 3e38, 8.4e37, 2 ** 24, 2 ** 20, Math.PI, 3 * Math.PI],
];

/** The columns of an instruction, one for each operand. */
export function operandsFor(name: string, count: number): Float32Array<ArrayBuffer>[] {
  const next = words(name.length);
  const part = () => next() / 2 ** 32;
  /** Where the function is neither trivial nor infinite. */
  const range = name.startsWith("ex2") ? 128 : name.startsWith("tanh") ? 10 : 400;
  const column = (): Float32Array<ArrayBuffer> => {
    const bits = new Uint32Array(count);
    const floats = new Float32Array(bits.buffer);
    for (let row = 0; row < count; row++) {
      const kind = next() % 4;
      if (kind === 0) bits[row] = next();
      else if (kind === 1) floats[row] = range * (2 * part() - 1);
      else if (kind === 2) floats[row] = 4 * part();
      else floats[row] = EDGES[next() % EDGES.length]! * (1 + (next() % 3) * 2 ** -23);
    }
    return floats;
  };
  return name.startsWith("div") ? [column(), column()] : [column()];
}
