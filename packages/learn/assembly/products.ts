// The functions of the module that several models share; src/model/dense.ts and scaling.ts have their source.

// @ts-ignore: decorator
@external("dense", "scale")
export declare function scale(rows: usize, count: usize, columns: usize, statistics: usize): void;

// @ts-ignore: decorator
@external("dense", "multiply")
export declare function multiply(
  from: usize,
  apart: usize,
  step: usize,
  rows: usize,
  terms: usize,
  others: usize,
  stride: usize,
  biases: isize,
  to: usize,
  isHalf: boolean,
): void;

// @ts-ignore: decorator
@external("dense", "relu")
export declare function relu(values: usize, count: usize): void;
