// What the methods of fitting need to know of the problem. The compiler finds this file in place of src/fit/problem.ts, to which its
// imports are relative.
import { log2 } from "../../assembly/gradient-core.js";
import { evaluateConstants, numbersAt } from "../../assembly/gradient-model.js";

export type Index = i32;

// @ts-expect-error: decorators are AssemblyScript's
@inline
export function at(index: Index): f64 {
  return load<f64>(numbersAt(index));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
export function put(index: Index, value: f64): void {
  store<f64>(numbersAt(index), value);
}

export function copy(from: Index, to: Index, count: Index): void {
  memory.copy(numbersAt(to), numbersAt(from), <usize>count << 3);
}

export function evaluate(from: Index, sums: Index, limit: f64): f64 {
  return evaluateConstants(from, sums, limit);
}

export function rounded(x: f64): f64 {
  const result = <f32>x;
  return abs<f32>(result) < 1.1754943508222875e-38 ? 0 : <f64>result;
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
export function isFinite64(x: f64): bool {
  return x - x == 0;
}

export function log2OfFloat(x: f64): f64 {
  return log2(<f64>(<f32>x));
}
