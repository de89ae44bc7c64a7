// Vectors of one f32, for sources that are AssemblyScript as well; assembly/lanes.ts has vectors of four for WebAssembly. Every operation is
// rounded to f32. Places are offsets in bytes.

const f = Math.fround;

/** The memory of the model that computes. */
let memory: Float32Array = new Float32Array(0);

/** Makes the operations below use the memory of a model. */
export function useMemory(f32: Float32Array): void {
  memory = f32;
}

/** The bytes of a vector. */
export const VECTOR = 4;

/** The vector that is `index` vectors after a place. */
export const load = (at: number, index = 0): number => memory[(at >> 2) + index]!;

/** A vector of the value that is `index` values after a place. */
export const splat = load;

export function store(at: number, vector: number): void {
  memory[at >> 2] = vector;
}

/** Writes a vector of each of four rows that are `bytes` apart. */
export function storeFour(at: number, bytes: number, a: number, b: number, c: number, d: number): void {
  store(at, a);
  store(at + bytes, b);
  store(at + 2 * bytes, c);
  store(at + 3 * bytes, d);
}

export const zero = (): number => 0;
export const multiplyAdd = (sum: number, a: number, b: number): number => f(sum + f(a * b));

/** A vector whose negative values are replaced by 0. */
export const positive = (vector: number): number => Math.max(0, vector);
