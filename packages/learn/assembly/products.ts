// The functions of the module that several models share; src/model/dense.ts and scaling.ts have their source.

// @ts-ignore: decorator
@external("dense", "scale")
export declare function scale(rows: usize, count: usize, columns: usize, statistics: usize): void;

// @ts-ignore: decorator
@external("dense", "affine")
export declare function affine(
  from: usize,
  fromStride: usize,
  inputs: usize,
  weights: usize,
  biases: isize,
  to: usize,
  stride: usize,
  rows: usize,
): void;

// @ts-ignore: decorator
@external("dense", "products")
export declare function products(
  from: usize,
  fromStride: usize,
  inputs: usize,
  others: usize,
  stride: usize,
  rows: usize,
  biases: isize,
  to: usize,
  isHalf: boolean,
): void;

// @ts-ignore: decorator
@external("dense", "sumRows")
export declare function sumRows(from: usize, stride: usize, rows: usize, to: usize): void;

// @ts-ignore: decorator
@external("dense", "relu")
export declare function relu(values: usize, count: usize): void;
