// Products of matrices in JavaScript, which several models are made of: every operation is rounded to f32, in the order of
// assembly/dense.ts. Places are offsets in bytes; sizes are numbers of values, and strides the distances of rows.

const f = Math.fround;

/** What `affine` reads and writes: sums begin with the biases, or with 0 if `biases` is negative. */
export type AffinePlaces = [
  from: number,
  fromStride: number,
  inputs: number,
  weights: number,
  biases: number,
  to: number,
  stride: number,
  rows: number,
];

/** For each row, the sums of inputs times weights. */
export function affine(f32: Float32Array, places: Readonly<AffinePlaces>): void {
  const [fromBytes, fromStride, inputs, weightBytes, biasBytes, toBytes, stride, rows] = places;
  const weights = weightBytes >> 2;
  for (let row = 0; row < rows; row++) {
    const from = (fromBytes >> 2) + row * fromStride;
    const to = (toBytes >> 2) + row * stride;
    for (let output = 0; output < stride; output++) {
      let sum = biasBytes < 0 ? 0 : f32[(biasBytes >> 2) + output]!;
      for (let input = 0; input < inputs; input++) {
        sum = f(sum + f(f32[from + input]! * f32[weights + input * stride + output]!));
      }
      f32[to + output] = sum;
    }
  }
}

/** What `products` reads and writes. */
export type ProductPlaces = [
  from: number,
  fromStride: number,
  inputs: number,
  others: number,
  stride: number,
  rows: number,
  to: number,
];

/**
 * For each input and each other value, the sum of their products over all rows.
 * @param isHalf whether others that come more than three before the input are not written
 */
export function products(f32: Float32Array, places: Readonly<ProductPlaces>, isHalf: boolean): void {
  const [fromBytes, fromStride, inputs, otherBytes, stride, rows, to] = places;
  const from = fromBytes >> 2;
  const others = otherBytes >> 2;
  for (let input = 0; input < inputs; input++) {
    for (let other = isHalf ? input & ~3 : 0; other < stride; other++) {
      let sum = 0;
      for (let row = 0; row < rows; row++) {
        sum = f(sum + f(f32[from + row * fromStride + input]! * f32[others + row * stride + other]!));
      }
      f32[(to >> 2) + input * stride + other] = sum;
    }
  }
}

/** The sums of the columns of consecutive rows of `stride` values. */
export function sumRows(f32: Float32Array, from: number, stride: number, rows: number, to: number): void {
  for (let column = 0; column < stride; column++) {
    let sum = 0;
    for (let row = 0; row < rows; row++) sum = f(sum + f32[(from >> 2) + row * stride + column]!);
    f32[(to >> 2) + column] = sum;
  }
}

/** Replaces negative values by 0. */
export function relu(f32: Float32Array, values: number, count: number): void {
  const start = values >> 2;
  for (let index = start; index < start + count; index++) f32[index] = Math.max(0, f32[index]!);
}
